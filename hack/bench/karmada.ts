// What did Karmada need for the same?
import type { PhaseName } from "./options.js";

/** One phase of Karmada's, measured by a driver with the same phases. */
export interface KarmadaFigures {
  readonly p50?: number;
  readonly perSecond?: number;
  /** Host requests per template, the least of what was seen. */
  readonly requests?: number;
}

/**
 * Karmada v1.19.0-rc.0-18 as shipped: QPS 40 to the host and to members; 1,000 templates, one policy, two members, no
 * nodes, kube-apiserver 1.34.4, two cores. Times vary with the machine; requests per template do not.
 */
export const KARMADA: Readonly<Partial<Record<PhaseName, KarmadaFigures>>> = {
  latency: { p50: 63, requests: 49 },
  "latency-b2b": { requests: 46 },
  burst: { perSecond: 2.3, requests: 26 },
  update: { perSecond: 6.5, requests: 10.5 },
  flip: { perSecond: 12, requests: 7.2 },
  "delete-preserve": { perSecond: 6.6, requests: 9.6 },
  burst2: { perSecond: 2.3, requests: 26 },
  delete: { perSecond: 5.8, requests: 10.6 },
};
/** Its four processes together, at the peak. */
export const KARMADA_MIB = 438;
