// What are the things called that join makes, and which names may a cluster have?
import { EXIT, Problem } from "./problem.js";

/** Karmada's limit: names of Works' namespaces and of Secrets are built from it (spec/karmada 7.2). */
const MAX_LENGTH = 48;
const DNS_1123_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** @throws Problem when no cluster may be called so. */
export function checkClusterName(name: string): void {
  if (name.length > MAX_LENGTH) {
    throw new Problem(`NAME: "${name}" has ${name.length} characters`, `use at most ${MAX_LENGTH}`, EXIT.usage);
  }
  if (!DNS_1123_LABEL.test(name)) {
    const hint = "use lower case letters, digits and -, and begin and end with a letter or digit, such as member1";
    throw new Problem(`NAME: "${name}" is not a valid cluster name`, hint, EXIT.usage);
  }
}

/** ServiceAccount in the member that we act as, and its token Secret (spec/karmada 2.1). */
export const accountName = (cluster: string): string => `karmada-${cluster}`;
/** ServiceAccount in the member that may impersonate, and its token Secret (spec/karmada 2.1). */
export const IMPERSONATOR = "karmada-impersonator";
/** ClusterRole and ClusterRoleBinding in the member (spec/karmada 2.1). */
export const roleName = (cluster: string): string => `karmada-controller-manager:${accountName(cluster)}`;
/** Secret on the host with the impersonator's token (spec/karmada 2.1). */
export const impersonatorSecretName = (cluster: string): string => `${cluster}-impersonator`;
