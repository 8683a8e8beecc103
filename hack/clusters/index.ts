// What do tests, demo and bench use of the clusters?
export { ask } from "./api.js";
export { ensureBinaries, ensureHelm, ensureHelmUnittest } from "./binaries.js";
export { guard } from "./guard.js";
export { interruption } from "./interrupt.js";
export { down, kill, start, stop } from "./lifecycle.js";
export { until } from "./ready.js";
export { readEnv, type ClusterAccess, type Env } from "./state.js";
export { up } from "./up.js";
