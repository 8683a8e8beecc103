// What of a plan is still to be done, and has anything moved since it was made?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { apiVersionOf, ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import type { MemberAccess } from "../access/member.js";
import { colorsFor } from "../output/color.js";
import type { Progress } from "../output/progress.js";
import { readPolicies } from "../preview/policies.js";
import { grouped, readNamed } from "../rollback/read.js";
import { objectKey } from "../view/adoption.js";
import { assess, type Assessment } from "./assess.js";
import { editedFiles, readObjects, readTemplates } from "./directory.js";
import { readHostFacts, runsWorkloads } from "./facts.js";
import type { PlannedKind } from "./kinds.js";
import { filesAround, plannedTitle, type PlannedObject, type Report } from "./report.js";
import { takenOf } from "./taken.js";

/** One object of a plan. */
export interface Item {
  readonly planned: PlannedObject;
  /** As its file has it. */
  readonly template: KubeObject;
  /** As the member has it. */
  readonly live: KubeObject;
  /** As it was found now. */
  readonly verdict: Assessment["verdict"];
}

/** What `migrate apply` sets out from. */
export interface Prepared {
  /** Still to be taken over, in the order of the report. */
  readonly open: readonly Item[];
  /** Taken over already. */
  readonly done: readonly Item[];
  /** What is not as the plan says, in words for a person; `diff` where there is one. */
  readonly moved: readonly { readonly what: string; readonly diff?: string }[];
  readonly policies: readonly KubeObject[];
  readonly namespaces: readonly KubeObject[];
  readonly hostRuns: boolean;
}

/** Reads files and clusters, and asks the member in dry runs; writes nothing. @throws Problem, KubeError */
export async function prepare(
  fleet: Fleet,
  member: MemberAccess,
  { dir, report, progress }: { readonly dir: string; readonly report: Report; readonly progress: Progress },
): Promise<Prepared> {
  const planned = report.objects.filter(({ file }) => file !== undefined);
  const templates = readTemplates(dir, planned);
  const around = filesAround(report);
  const others = readObjects(dir, around);
  const policies = others.filter(({ kind }) => kind.endsWith("PropagationPolicy"));
  const pairs = planned.flatMap((one, i) => pairOf(one, templates[i]));
  const assessed = await assessAll({ fleet, member, policies, progress }, pairs);
  const isDone = ({ item, work }: Assessed): boolean =>
    item.verdict.state === "managed" && takenOf(work, item.template, item.planned.uid).state === "applied";
  const edited = new Set(editedFiles(dir, report));
  return {
    open: assessed.items.filter(one => !isDone(one)).map(({ item }) => item),
    done: assessed.items.filter(isDone).map(({ item }) => item),
    moved: [
      ...around.flatMap(path => (edited.has(path) ? [{ what: `${path} was edited` }] : [])),
      ...assessed.gone,
      ...assessed.items.flatMap(({ item }) => movedOf(item, edited)),
    ],
    policies,
    namespaces: others.filter(({ kind }) => kind === "Namespace"),
    hostRuns: assessed.hostRuns,
  };
}

interface Pair {
  readonly planned: PlannedObject;
  readonly template: KubeObject;
}

function pairOf(planned: PlannedObject, template: KubeObject | undefined): readonly Pair[] {
  return template ? [{ planned, template }] : [];
}

interface Assessed {
  readonly item: Item;
  readonly work: Work | undefined;
}

interface Place {
  readonly fleet: Fleet;
  readonly member: MemberAccess;
  readonly policies: readonly KubeObject[];
  readonly progress: Progress;
}

async function assessAll({ fleet, member, policies: own, progress }: Place, pairs: readonly Pair[]) {
  const host = fleet.host.client;
  const [policies, hostRuns, live] = await Promise.all([
    readPolicies(host),
    runsWorkloads(host),
    liveObjects(
      member,
      pairs.map(({ template }) => template),
    ),
  ]);
  const kinds = pairs.flatMap(({ template }) => fleet.discovery.find(template.apiVersion, template.kind) ?? []);
  const facts = await readHostFacts(host, {
    cluster: member.name,
    policies,
    ownPolicies: own.map(({ metadata }) => metadata.name),
    kinds: [...new Set<ApiResource>(kinds)],
    namespace: onlyNamespace(pairs),
  });
  const context = { member, facts, policies, hostRuns, colors: colorsFor(false, {}, "never") };
  const there = pairs.filter(({ template }) => live.has(objectKey(template)));
  let done = 0;
  const items = await mapLimited(there, async ({ planned, template }): Promise<Assessed> => {
    const object = live.get(objectKey(template)) ?? template;
    const { subject, verdict } = await assess(
      { kind: kindOf(fleet, member, template), live: object, template },
      context,
    );
    progress.count(++done, there.length, "objects looked at");
    // An edit of the file counts, also where a template is on the host by now.
    const wanted = verdict.state === "managed" ? subject.template : template;
    return { item: { planned, template: wanted, live: object, verdict }, work: facts.works.get(objectKey(template)) };
  });
  const gone = pairs.filter(({ template }) => !live.has(objectKey(template)));
  return {
    items,
    hostRuns,
    gone: gone.map(({ planned }) => ({ what: `${plannedTitle(planned)} is not in ${member.name} any more` })),
  };
}

function onlyNamespace(pairs: readonly Pair[]): string | undefined {
  const namespaces = new Set(pairs.map(({ template }) => template.metadata.namespace));
  const [first] = namespaces;
  return namespaces.size === 1 ? first : undefined;
}

function kindOf(fleet: Fleet, member: MemberAccess, { apiVersion, kind }: KubeObject): PlannedKind {
  const resource = member.discovery.find(apiVersion, kind);
  const onHost = fleet.discovery.find(apiVersion, kind);
  if (!resource) throw new Error(`${member.name} serves no ${apiVersion} ${kind} any more; plan again`);
  return { resource, hostVersions: [], ...(onHost && { onHost }) };
}

async function liveObjects(
  member: MemberAccess,
  templates: readonly KubeObject[],
): Promise<ReadonlyMap<string, KubeObject>> {
  const groups = grouped(templates, ({ apiVersion, kind, metadata }) => `${apiVersion}|${kind}|${metadata.namespace}`);
  const found = await mapLimited(groups, async group => {
    const resource = member.discovery.find(group[0].apiVersion, group[0].kind);
    if (!resource) return [];
    const objects = await readNamed(
      new ResourceClient(member.client, resource),
      group.map(({ metadata }) => metadata),
    );
    return objects.map(object => ({ ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }));
  });
  return new Map(found.flat().map(object => [objectKey(object), object]));
}

/** What is otherwise with one object than planned. Pure. Exported for its test. */
export function movedOf({ planned, live, verdict }: Item, edited: ReadonlySet<string>): Prepared["moved"] {
  const name = plannedTitle(planned);
  const anew =
    live.metadata.uid === planned.uid ? [] : [{ what: `${name} is another object in the member than was planned` }];
  if (verdict.state === "managed") return anew;
  if (verdict.state === "blocked")
    return [{ what: `${name} cannot be taken over any more: ${verdict.why}; ${verdict.wayOut}` }];
  const now = diffOf(verdict);
  if (diffOf(planned.verdict) === now) return anew;
  if (now === undefined) return [];
  const because = planned.file !== undefined && edited.has(planned.file) ? ", since its file was edited" : "";
  return [{ what: `${name} would change otherwise than planned${because}`, diff: now }];
}

function diffOf(verdict: Item["verdict"]): string | undefined {
  return verdict.state === "changes" ? verdict.diff : undefined;
}
