// Writes docs/reference/metrics.md and events.md from the code that tells them; `--check` fails when one is out of date.
import { isMain, runGenerator } from "./generated-files.js";
import { eventsPage } from "./reference-pages/events.js";
import { metricsPage } from "./reference-pages/metrics.js";

if (isMain(import.meta.url)) {
  runGenerator("gen-reference", [await metricsPage(), eventsPage()], process.argv.slice(2));
}
