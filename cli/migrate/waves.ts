// In which order do templates come, so that what others need is there first?
import { gvkOf, type KubeObject } from "../../crds/object.js";

const ORDER: readonly (readonly string[])[] = [
  ["apiextensions.k8s.io/CustomResourceDefinition"],
  [
    ...["/ServiceAccount", "/Secret", "/ConfigMap"],
    ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map(kind => `rbac.authorization.k8s.io/${kind}`),
    ...["scheduling.k8s.io/PriorityClass", "/LimitRange", "/ResourceQuota", "storage.k8s.io/StorageClass"],
  ],
  ["/PersistentVolume", "/PersistentVolumeClaim"],
  ["/Service", "networking.k8s.io/NetworkPolicy"],
];
/** Whatever is named nowhere: workloads, and kinds of people's own. */
const MIDDLE = ORDER.length;
const LAST: ReadonlySet<string> = new Set([
  "autoscaling/HorizontalPodAutoscaler",
  "policy/PodDisruptionBudget",
  "networking.k8s.io/Ingress",
]);

/** 0 comes first. */
export function rankOf(object: KubeObject): number {
  const { group, kind } = gvkOf(object);
  const key = `${group}/${kind}`;
  if (LAST.has(key)) return MIDDLE + 1;
  const rank = ORDER.findIndex(kinds => kinds.includes(key));
  return rank < 0 ? MIDDLE : rank;
}

/** Waves of at most `size`; none mixes ranks, and the order within a rank is kept. Pure. */
export function wavesOf<T>(items: readonly T[], size: number, rank: (item: T) => number): readonly (readonly T[])[] {
  const waves: T[][] = [];
  let last: number | undefined;
  for (const item of [...items].sort((a, b) => rank(a) - rank(b))) {
    const wave = waves.at(-1);
    if (!wave || wave.length >= size || rank(item) !== last) waves.push([item]);
    else wave.push(item);
    last = rank(item);
  }
  return waves;
}
