// What does a process do that does one thing and ends? HOLDFAST_TASK names it; the chart's hooks run it.
import type { KubeClient } from "../kube/client.js";
import type { Config } from "./config.js";
import type { Logger } from "./log.js";
import { uninstall } from "./uninstall.js";
import { checkWebhook } from "./webhook-check.js";

/** What the tasks share with the operator. */
export interface TaskDependencies {
  readonly client: KubeClient;
  readonly config: Config;
  readonly log: Logger;
  /** Name of the Lease of the watchers. */
  readonly lease: string;
}

const WATCHER = "holdfast-watcher";

/** Does the task; answers the process's exit code. Never rejects. */
export function runTask(task: Exclude<Config["HOLDFAST_TASK"], "serve">, deps: TaskDependencies): Promise<number> {
  return task === "check" ? check(deps) : release(deps);
}

async function check({ client, config, log }: TaskDependencies): Promise<number> {
  const why = await checkWebhook(client, config.POD_NAMESPACE, config.HOLDFAST_TASK_SECONDS * 1000);
  if (why === undefined) log.info("admission answers");
  else log.error("admission does not answer as it should", { error: why });
  return why === undefined ? 0 : 1;
}

/** Ends well whatever happened: a hook that fails would keep the release from being uninstalled. */
async function release({ client, config, log, lease }: TaskDependencies): Promise<number> {
  const { POD_NAMESPACE: namespace, HOLDFAST_TASK_SECONDS } = config;
  const options = { namespace, lease, watcher: WATCHER, withinMs: HOLDFAST_TASK_SECONDS * 1000 };
  const { released, problems } = await uninstall(client, log, options);
  for (const problem of problems) log.warn("not everything could be let go of", { problem });
  log.info("finalizers taken off; what is in members stays as it is", { released, problems: problems.length });
  return 0;
}
