// What would change in a member if a Work were applied there now, or took an object over?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { isOurs, planAdoption, withMarks } from "../../capabilities/work/plan.js";
import { adoptPatch } from "../../lib/domain/adopt.js";
import { allFields, isOurs as isOurEntry } from "../../lib/domain/field-entries.js";
import { withoutFields } from "../../lib/domain/field-remove.js";
import { difference, isEmpty, union } from "../../lib/domain/field-tree.js";
import { isRecord } from "../../lib/domain/json-value.js";
import { RETAIN_REPLICAS_LABEL } from "../../lib/domain/marks.js";
import { withoutReplicas, yieldReplicasPatch } from "../../lib/domain/retain-replicas.js";
import { isConflict, isNotFound, KubeError } from "../../lib/kube/errors.js";
import type { ResourceClient } from "../../lib/kube/resource.js";
import type { MemberAccess } from "../access/member.js";
import { dryApply, dryReplace, type DryRun } from "./dry-run.js";

/** One object on its way to one member. */
export interface PreviewRequest {
  readonly member: MemberAccess;
  /** The Work that carries it, or would; its annotation says what happens to an object that is there already. */
  readonly work: Work;
  /** As it is rendered for this member, without marks. */
  readonly manifest: KubeObject;
  /** The object in the member, where it has been read a moment ago. */
  readonly live?: KubeObject | undefined;
  /** Another Work that holds the object with this id on its label, as `namespace/name`. */
  readonly holderOf: (workId: KubeObject) => Promise<string | undefined>;
}

/**
 * `create`: it is not there · `update`: it is ours · `adopt`: it is there and is taken over · `refuse`: it is there and is
 * not taken over, `why` says what to do; `after` is as it would be if it were. `before` and `after` carry what the server
 * says; see `compare` for what of it matters.
 */
export interface Preview {
  readonly action: "create" | "update" | "adopt" | "refuse";
  readonly before?: KubeObject;
  readonly after?: KubeObject;
  readonly why?: string;
  /** What a person should know beside the difference. */
  readonly remarks: readonly string[];
}

/** How often an object is looked at again that others keep writing. */
const LOOKS = 5;

/** Asks the member; writes nothing. @throws Error with the member's words when it would refuse the object itself */
export async function previewObject(request: PreviewRequest): Promise<Preview> {
  let asked = request;
  for (let looks = 1; ; looks++) {
    try {
      return await previewNow(asked);
    } catch (error) {
      // Somebody has written it, or made it anew, since it was read: that says nothing about the takeover.
      if (!isOvertaken(error) || looks === LOOKS) throw error;
      asked = { ...request, live: undefined };
    }
  }
}

/** Of an object that was made anew, servers say that its uid cannot be changed. */
function isOvertaken(error: unknown): boolean {
  return (
    isConflict(error) || (error instanceof KubeError && error.status === 422 && /metadata\.uid/.test(error.message))
  );
}

async function previewNow(request: PreviewRequest): Promise<Preview> {
  const { member, work } = request;
  const manifest = withMarks(request.manifest, work);
  const objects = member.objects(manifest);
  if (!objects) {
    throw new Error(`it does not serve ${manifest.apiVersion} ${manifest.kind}; install its CRD there`);
  }
  const live = request.live ?? (await objects.find(manifest.metadata));
  if (!live) return previewCreate(objects, manifest);
  return isOurs(live, work)
    ? previewUpdate(objects, manifest, live)
    : previewAdoption(request, objects, manifest, live);
}

async function previewCreate(objects: ResourceClient, manifest: KubeObject): Promise<Preview> {
  try {
    const made = await dryApply(objects, manifest, false);
    return { action: "create", after: made.object, remarks: remarksOn(made) };
  } catch (error) {
    const { namespace } = manifest.metadata;
    if (!namespace || !isNotFound(error)) throw error;
    const remark = `namespace ${namespace} is not there and would be made; defaults of the member are not shown`;
    return { action: "create", after: manifest, remarks: [remark] };
  }
}

async function previewUpdate(objects: ResourceClient, manifest: KubeObject, live: KubeObject): Promise<Preview> {
  const made = await dryApply(objects, identified(asSent(manifest, live), live), true);
  return { action: "update", before: live, after: made.object, remarks: remarksOn(made) };
}

async function previewAdoption(
  { work, holderOf }: PreviewRequest,
  objects: ResourceClient,
  manifest: KubeObject,
  live: KubeObject,
): Promise<Preview> {
  const plan = planAdoption(work, manifest, live, await holderOf(live));
  const wanted = asSent(manifest, live);
  const made = await dryApply(objects, identified(wanted, live), true);
  const after = await withoutSurrendered(objects, made.object, live, wanted);
  const seen = { before: live, after, remarks: remarksOn(made) };
  return plan.action === "adopt" ? { action: "adopt", ...seen } : { action: "refuse", why: plan.why, ...seen };
}

/**
 * An adoption first takes over what known tools own, so that its apply can remove what the manifest lacks. A dry run cannot
 * do two steps: what goes is taken out here, and the member says what it makes of the rest.
 */
async function withoutSurrendered(
  objects: ResourceClient,
  applied: KubeObject,
  live: KubeObject,
  manifest: KubeObject,
): Promise<KubeObject> {
  const entries = adoptPatch(live, manifest)?.find(({ path }) => path === "/metadata/managedFields");
  if (!entries || !("value" in entries) || !Array.isArray(entries.value)) return applied;
  const all = entries.value as NonNullable<KubeObject["metadata"]["managedFields"]>;
  const given = allFields(all.filter(isOurEntry));
  const ofManifest = allFields((applied.metadata.managedFields ?? []).filter(isOurEntry));
  const kept = union(ofManifest, allFields(all.filter(entry => !isOurEntry(entry))));
  if (isEmpty(difference(given, kept))) return applied;
  const left = withoutFields(applied, { given, kept });
  if (!isRecord(left)) return applied;
  const { resourceVersion } = live.metadata;
  return dryReplace(objects, { ...applied, ...left, metadata: { ...applied.metadata, resourceVersion } });
}

/** With the uid an apply fails, rather than creates, when the object has gone in the meantime. */
function identified(manifest: KubeObject, { metadata: { uid } }: KubeObject): KubeObject {
  return { ...manifest, metadata: { ...manifest.metadata, uid } };
}

/**
 * A replica count that is the member's is left out. Where we still own it, the operator first ceases to; here the count
 * that is there stands for that step.
 */
function asSent(manifest: KubeObject, live: KubeObject): KubeObject {
  if (manifest.metadata.labels?.[RETAIN_REPLICAS_LABEL] !== "true") return manifest;
  const bare = withoutReplicas(manifest);
  if (!yieldReplicasPatch(live) || !isRecord(live["spec"]) || !isRecord(bare["spec"])) return bare;
  return { ...bare, spec: { ...bare["spec"], replicas: live["spec"]["replicas"] } };
}

function remarksOn({ dropped }: DryRun): string[] {
  return dropped.length > 0 ? [`it does not know ${dropped.join(", ")}, which is left out there`] : [];
}
