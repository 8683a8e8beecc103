// What every capability's controllers are given: the two sides of the federation and the engine's services.
import type { Host } from "../kube/host.js";
import type { Members } from "../kube/member.js";
import type { EventRecorder } from "./events.js";
import type { Logger } from "./log.js";
import type { Metrics } from "./metrics.js";

/** Shared by all controllers of the process; made once by the composition root. */
export interface Dependencies {
  readonly host: Host;
  readonly members: Members;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Namespace that Holdfast itself runs in. */
  readonly ownNamespace: string;
  /** True when the host runs no workload controllers, so that we write the status of templates (design 1). */
  readonly writesTemplateStatus: () => boolean;
  /** False while this process does not safely hold the Lease; absent where nobody competes. */
  readonly mayWork?: () => boolean;
}
