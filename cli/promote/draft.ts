// What is put on the host so that an object of a member comes under it, and what would that change?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { CONFLICT_RESOLUTION_ANNOTATION } from "../../lib/domain/marks.js";
import { whyNeverTemplate } from "../../lib/domain/never-template.js";
import { apiVersionOf, groupKindOf, ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import { assess, type Assessment } from "../migrate/assess.js";
import { readHostFacts, runsWorkloads } from "../migrate/facts.js";
import { autoscalersOf } from "../migrate/gather.js";
import { plannedKinds, type PlannedKind } from "../migrate/kinds.js";
import { promotedPolicyName } from "../migrate/names.js";
import { policiesFor } from "../migrate/policies.js";
import { scaledBy, scaleKey, templateFrom, tidy } from "../migrate/template.js";
import type { Subject } from "../migrate/verdict.js";
import type { Colors } from "../output/color.js";
import { readPolicies } from "../preview/policies.js";
import { EXIT, Problem } from "../problem.js";
import { dependenciesOf } from "./dependencies.js";

/** What is asked for. */
export interface PromoteRequest {
  readonly resource: ApiResource;
  readonly namespace?: string;
  readonly name: string;
  /** Absent: the name that karmadactl would give it. */
  readonly policyName?: string;
  /** Without a policy of its own, an existing one has to select the template. */
  readonly withPolicy: boolean;
  readonly withDependencies: boolean;
}

/** All that would be written, and what it would change. */
export interface Draft {
  /** The object first, then what it depends on. */
  readonly assessments: readonly Assessment[];
  readonly templates: readonly KubeObject[];
  readonly policy?: KubeObject;
}

/** Reads the member and asks it in a dry run; writes nothing. @throws Problem, KubeError */
export async function draftOf(
  fleet: Fleet,
  member: MemberAccess,
  request: PromoteRequest,
  colors: Colors,
): Promise<Draft> {
  const subjects = await subjectsOf(fleet, member, request);
  const [first] = subjects;
  if (!first) throw new Problem("nothing is there to promote");
  const host = fleet.host.client;
  const [policies, hostRuns] = await Promise.all([readPolicies(host), runsWorkloads(host)]);
  const policyName = request.policyName ?? promotedPolicyName(first.template);
  // Without a policy of its own, whichever policy selects the template is right.
  const ownPolicies = request.withPolicy
    ? [policyName]
    : [policyName, ...policies.propagation.map(({ policy }) => policy.metadata.name)];
  const { namespace } = request;
  const kinds = [...new Set(subjects.flatMap(({ kind }) => kind.onHost ?? []))];
  const facts = await readHostFacts(host, { cluster: member.name, policies, ownPolicies, kinds, namespace });
  const assessments = await mapLimited(subjects, subject =>
    assess(subject, { member, facts, policies, hostRuns, colors }),
  );
  const templates = assessments.map(({ subject }) =>
    request.withPolicy ? subject.template : overwriting(subject.template),
  );
  const [policy] = policiesFor({
    name: policyName,
    namespace: first.template.metadata.namespace,
    cluster: member.name,
    templates,
  });
  return { assessments, templates, ...(request.withPolicy && policy && { policy }) };
}

/** Somebody else's policy may say Abort: the template says itself that it takes over, as karmadactl's does. */
function overwriting(template: KubeObject): KubeObject {
  const annotations = { ...template.metadata.annotations, [CONFLICT_RESOLUTION_ANNOTATION]: "overwrite" };
  return { ...template, metadata: { ...template.metadata, annotations } };
}

async function subjectsOf(fleet: Fleet, member: MemberAccess, request: PromoteRequest): Promise<readonly Subject[]> {
  const kind = kindIn(fleet, member, groupKindOf(request.resource));
  const live = await liveObject(member, kind, request);
  const never = whyNeverTemplate(live);
  if (never !== undefined)
    throw new Problem(`it cannot be promoted: ${never}`, "promote what made it, or leave it where it is");
  const isScaled = await isScaledIn(member, live);
  const own = { kind, live, template: tidy(templateFrom(live, { isScaled })) };
  if (!request.withDependencies) return [own];
  const needed = await mapLimited(dependenciesOf(live), async ({ kind: word, name }) => {
    const needs = kindIn(fleet, member, `/${word}`);
    const found = await new ResourceClient(member.client, needs.resource).find({ namespace: request.namespace, name });
    const isFit = found && whyNeverTemplate(found) === undefined;
    return isFit ? [{ kind: needs, live: found, template: tidy(templateFrom(found)) }] : [];
  });
  return [own, ...needed.flat()];
}

function kindIn(fleet: Fleet, { discovery, name }: MemberAccess, groupKind: string): PlannedKind {
  const served = discovery.served.resources;
  const words = served
    .filter(resource => groupKindOf(resource) === groupKind)
    .map(({ plural, group }) => `${plural}.${group}`);
  const [first] = words;
  const kinds =
    first === undefined
      ? []
      : plannedKinds(served, fleet.discovery.served.resources, { words: [first], clusterWide: true });
  const [kind] = kinds;
  if (kind) return kind;
  const [, word] = groupKind.split("/");
  throw new Problem(
    `${name} has no ${word} that can be promoted`,
    "Namespaces are made on demand; Holdfast's own kinds stay on the host",
    EXIT.usage,
  );
}

async function liveObject(
  member: MemberAccess,
  { resource }: PlannedKind,
  request: PromoteRequest,
): Promise<KubeObject> {
  const { namespace, name } = request;
  const place = resource.namespaced ? { namespace, name } : { name };
  const live = await new ResourceClient(member.client, resource).find(place);
  if (live) return { ...live, apiVersion: apiVersionOf(resource), kind: resource.kind };
  const where = resource.namespaced ? ` in namespace ${namespace}` : "";
  throw new Problem(
    `${member.name} has no ${resource.kind} ${name}${where}`,
    `holdfast get ${resource.plural} -C ${member.name} lists them`,
  );
}

async function isScaledIn(member: MemberAccess, live: KubeObject): Promise<boolean> {
  const { namespace, name } = live.metadata;
  if (namespace === undefined) return false;
  const scaled = scaledBy(await autoscalersOf(member, namespace));
  return scaled.has(scaleKey(gvkOf(live).group, live.kind, namespace, name));
}
