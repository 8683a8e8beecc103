// Which objects does a member have that may become templates? Read by LISTs alone.
import type { KubeObject } from "../../crds/object.js";
import { isNotFound } from "../../lib/kube/errors.js";
import { NAMESPACES, SECRETS } from "../../lib/kube/kinds.js";
import { apiVersionOf, groupKindOf, ResourceClient } from "../../lib/kube/resource.js";
import { selectorProblem } from "../access/list-problem.js";
import type { MemberAccess } from "../access/member.js";
import { mapLimited } from "../access/limited.js";
import type { Progress } from "../output/progress.js";
import { readMetadata } from "../rollback/read.js";
import type { PlannedKind } from "./kinds.js";

/** What to read. */
export interface GatherRequest {
  readonly kinds: readonly PlannedKind[];
  /** Absent: all of them. */
  readonly namespace?: string;
  readonly selector?: string;
  /** Without it, only the metadata of Secrets is asked for. */
  readonly withSecrets: boolean;
}

/** One object that was found. */
export interface Found {
  readonly kind: PlannedKind;
  readonly object: KubeObject;
}

/** What a member has. */
export interface Gathered {
  readonly found: readonly Found[];
  /** By name: for their labels. */
  readonly namespaces: ReadonlyMap<string, KubeObject>;
  /** All autoscalers of the namespaces, whichever kinds are asked for. */
  readonly autoscalers: readonly KubeObject[];
}

const AUTOSCALER = "autoscaling/HorizontalPodAutoscaler";
const LISTS_AT_ONCE = 4;

/** Asks for every kind, a few at the same time. @throws KubeError */
export async function gather(member: MemberAccess, request: GatherRequest, progress: Progress): Promise<Gathered> {
  const { kinds, namespace } = request;
  let done = 0;
  const [lists, spaces, scalers] = await Promise.all([
    mapLimited(
      kinds,
      async kind => {
        const objects = await objectsOf(member, kind, request);
        progress.count(++done, kinds.length, "kinds read");
        return objects.map(object => ({ kind, object }));
      },
      LISTS_AT_ONCE,
    ),
    namespacesOf(member, namespace),
    autoscalersOf(member, namespace),
  ]);
  return {
    found: lists.flat(),
    namespaces: new Map(spaces.map(space => [space.metadata.name, space])),
    autoscalers: scalers,
  };
}

async function objectsOf(
  member: MemberAccess,
  { resource }: PlannedKind,
  { namespace, selector, withSecrets }: GatherRequest,
): Promise<readonly KubeObject[]> {
  try {
    if (groupKindOf(resource) === "/Secret" && !withSecrets) return await secretNames(member, namespace, selector);
    const place = resource.namespaced ? namespace : undefined;
    return (await new ResourceClient(member.client, resource).list({ labelSelector: selector }, place)).items;
  } catch (error) {
    // A kind that went between discovery and this moment has no objects.
    if (isNotFound(error)) return [];
    throw selectorProblem(error, resource) ?? error;
  }
}

/** Such Secrets are never templates; their type is not in the metadata. */
const NO_TOKENS =
  "type!=kubernetes.io/service-account-token,type!=bootstrap.kubernetes.io/token,type!=helm.sh/release.v1";

/** No value of a Secret leaves the member unless it is asked for. */
async function secretNames(
  { client }: MemberAccess,
  namespace: string | undefined,
  labelSelector: string | undefined,
): Promise<readonly KubeObject[]> {
  const secrets = await readMetadata(client, SECRETS, { namespace, labelSelector, fieldSelector: NO_TOKENS });
  return secrets.map(({ metadata }) => ({ apiVersion: "v1", kind: "Secret", metadata }));
}

/** @throws KubeError; a namespace that is not there is none */
async function namespacesOf({ client }: MemberAccess, namespace: string | undefined): Promise<readonly KubeObject[]> {
  const namespaces = new ResourceClient(client, NAMESPACES);
  if (namespace === undefined) return (await namespaces.list()).items;
  const found = await namespaces.find({ name: namespace });
  return found ? [found] : [];
}

/** All autoscalers of a namespace, or of all of them. @throws KubeError */
export async function autoscalersOf(
  { client, discovery }: MemberAccess,
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  const served = discovery.served.resources.find(resource => groupKindOf(resource) === AUTOSCALER);
  if (!served) return [];
  const { items } = await new ResourceClient(client, served).list({}, namespace);
  return items.map(item => ({ ...item, apiVersion: apiVersionOf(served) }));
}
