// What every capability's controllers are given: the two sides of the federation and the engine's services.
import type { KubeObject } from "../../crds/object.js";
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
  /** True when no controller of the host reports about a template, so that we do: it runs none, or it holds the template (design 1). */
  readonly writesStatusOf: (template: KubeObject) => boolean;
  /** False while this process does not safely hold the Lease; absent where nobody competes. */
  readonly mayWork?: () => boolean;
}
