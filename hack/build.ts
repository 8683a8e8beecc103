// What does `npm run build` make? dist/pepr.cjs, the operator as one file beside node_modules.
import { bundleOperator } from "./clusters/bundle.js";

const file = await bundleOperator(() => "pepr.cjs");
process.stdout.write(`${file}\n`);
