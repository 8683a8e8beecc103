// Which of two versions is older, and how far are they apart?
//
// By hand and not by `semver`: what is compared here is released versions and Kubernetes' own (`v1.34.4+k3s1`), by their numbers.

/** The version of the operator that leads, on its Lease; the version of the release that a CRD came with, on the CRD. */
export const VERSION_ANNOTATION = "holdfast.dev/version";

/** A version's numbers. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Reads `v1.34.4`, `0.1.0-rc.1`, `1.30`; what stands behind the numbers is not looked at. `undefined`: no version. */
export function parseVersion(text: string | undefined): Version | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?![\d.])/.exec(text ?? "") ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch ?? 0) };
}

/** Whether `a` is older than `b`; false where one of them is no version. */
export function isOlder(a: string | undefined, b: string | undefined): boolean {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (!first || !second) return false;
  const steps = [first.major - second.major, first.minor - second.minor, first.patch - second.patch];
  return (steps.find(step => step !== 0) ?? 0) < 0;
}

/** How many minor versions lie between; Infinity between two majors, `undefined` where one is no version. */
export function minorsApart(a: string | undefined, b: string | undefined): number | undefined {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (!first || !second) return undefined;
  return first.major === second.major ? Math.abs(first.minor - second.minor) : Infinity;
}
