// Which fields of a kind belong to the cluster that holds the object, and must not travel to another?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { isRecord, updateAt, withoutKeys } from "./json-value.js";

type Rule = (object: KubeObject) => KubeObject;
type Rules = Readonly<Record<string, Rule>>;

const remove = () => undefined;

// What nobody can mean for another cluster, even when they wrote it down (spec/karmada 2.4).
const ALWAYS: Rules = {
  "batch/Job": pruneJob,
  "/Secret": pruneSecret,
  "/ServiceAccount": pruneServiceAccount,
  "/Service": pruneService,
  "/Namespace": object => updateAt(object, ["spec", "finalizers"], remove),
  "/PersistentVolume": pruneVolume,
  // `kubectl debug` puts them into the one Pod that it looks into; neither a create nor an apply takes them.
  "/Pod": object => updateAt(object, ["spec", "ephemeralContainers"], remove),
};

// What an API server or a controller chooses. A person can choose it too, so it goes only when nobody knows who did.
const UNOWNED: Rules = {
  "/Service": pruneServiceChoices,
  "/Pod": prunePodChoices,
  "/PersistentVolumeClaim": object => updateAt(object, ["spec", "volumeName"], remove),
  "/PersistentVolume": object => updateAt(object, ["spec", "claimRef"], remove),
};

/** Takes out what identifies one cluster's copy of a kind. Source: spec/karmada 2.4, cases 24, 27 and 29. */
export function pruneClusterOwned(object: KubeObject): KubeObject {
  return ruleOf(ALWAYS, object)(object);
}

/**
 * Takes out values that a server usually allocates: node ports, IP families, a bound volume, a Pod's node. Only for
 * objects without a record of who set them: it cannot tell a chosen node port from a given one.
 */
export function pruneServerChoices(object: KubeObject): KubeObject {
  return ruleOf(UNOWNED, object)(object);
}

function ruleOf(rules: Rules, object: KubeObject): Rule {
  const { group, kind } = gvkOf(object);
  return rules[`${group}/${kind}`] ?? (same => same);
}

const GENERATED_JOB_LABELS = new Set([
  "controller-uid",
  "job-name",
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
]);

// The time to live goes too: a member that deletes its finished Job would be given it again.
function pruneJob(job: KubeObject): KubeObject {
  const mortal = updateAt(job, ["spec", "ttlSecondsAfterFinished"], remove);
  if (isRecord(job.spec) && job.spec.manualSelector === true) return mortal;
  const unselected = updateAt(mortal, ["spec", "selector"], remove);
  const unlabelled = updateAt(unselected, ["spec", "template", "metadata", "labels"], dropKeys(GENERATED_JOB_LABELS));
  // The API server copies the pod template's labels to a Job that has none, the foreign uid among them.
  return updateAt(unlabelled, ["metadata", "labels"], dropKeys(new Set([...GENERATED_JOB_LABELS].filter(isUidLabel))));
}

function isUidLabel(label: string): boolean {
  return label.endsWith("controller-uid");
}

// A token is signed by one cluster; the member fills its own in.
function pruneSecret(secret: KubeObject): KubeObject {
  if (secret.type !== "kubernetes.io/service-account-token") return secret;
  const empty = updateAt(updateAt(secret, ["data"], remove), ["stringData"], remove);
  return updateAt(empty, ["metadata", "annotations"], dropKeys(new Set(["kubernetes.io/service-account.uid"])));
}

function pruneServiceAccount(account: KubeObject): KubeObject {
  const prefix = `${account.metadata.name}-token-`;
  const isToken = (ref: unknown) => isRecord(ref) && typeof ref.name === "string" && ref.name.startsWith(prefix);
  return updateAt(account, ["secrets"], dropItems(isToken));
}

function pruneService(service: KubeObject): KubeObject {
  const isAddress = (ip: unknown) => ip !== "None";
  const single = updateAt(service, ["spec", "clusterIP"], ip => (isAddress(ip) ? undefined : ip));
  return updateAt(single, ["spec", "clusterIPs"], dropItems(isAddress));
}

function pruneVolume(volume: KubeObject): KubeObject {
  const unbound = updateAt(volume, ["spec", "claimRef", "uid"], remove);
  return updateAt(unbound, ["spec", "claimRef", "resourceVersion"], remove);
}

function pruneServiceChoices(service: KubeObject): KubeObject {
  const withoutPort = (port: unknown) => updateAt(port, ["nodePort"], remove);
  const ports = updateAt(service, ["spec", "ports"], list => (Array.isArray(list) ? list.map(withoutPort) : list));
  const families = updateAt(ports, ["spec", "ipFamilies"], remove);
  return updateAt(families, ["spec", "healthCheckNodePort"], remove);
}

function prunePodChoices(pod: KubeObject): KubeObject {
  const isTokenVolume = (part: unknown) =>
    isRecord(part) && typeof part.name === "string" && part.name.startsWith("kube-api-access-");
  const unmount = (container: unknown) => updateAt(container, ["volumeMounts"], dropItems(isTokenVolume));
  const unmountAll = (list: unknown) => (Array.isArray(list) ? list.map(unmount) : list);
  const free = updateAt(pod, ["spec", "nodeName"], remove);
  const main = updateAt(free, ["spec", "containers"], unmountAll);
  const both = updateAt(main, ["spec", "initContainers"], unmountAll);
  return updateAt(both, ["spec", "volumes"], dropItems(isTokenVolume));
}

function dropKeys(keys: ReadonlySet<string>): (map: unknown) => unknown {
  return map => (isRecord(map) ? withoutKeys(map, key => keys.has(key)) : map);
}

function dropItems(drop: (item: unknown) => boolean): (list: unknown) => unknown {
  return list => {
    if (!Array.isArray(list)) return list;
    const kept = (list as unknown[]).filter(item => !drop(item));
    return kept.length > 0 ? kept : undefined;
  };
}
