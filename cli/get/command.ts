// The command `get`: one kind across host and members.
import { Option, type Command } from "commander";
import { fleetOptions, withFleet, type Fleet, type FleetFlags } from "../access/fleet.js";
import { namespaceOf, namespaceOptions, type NamespaceFlags } from "../access/host.js";
import { mapLimited } from "../access/limited.js";
import { examples } from "../examples.js";
import { KubeError } from "../../lib/kube/errors.js";
import { apiVersionOf } from "../../lib/kube/resource.js";
import { ageOf } from "../output/age.js";
import { documentOf, formatOption, isData, listOf, nameOf, type Format } from "../output/format.js";
import { tableOf, UNKNOWN, type Column } from "../output/table.js";
import { readWhyUnclaimed } from "../preview/policies.js";
import { EXIT, Problem } from "../problem.js";
import type { Shell } from "../shell.js";
import { resolveTargets, type Target } from "../target/targets.js";
import { suggest } from "../completion/sources.js";
import { gather, wantedInMembers, type Gathered, type Scope } from "./gather.js";
import { inOrder, itemOf, type Row } from "./rows.js";

interface GetFlags extends FleetFlags, NamespaceFlags {
  readonly selector?: string;
  readonly operationScope: Scope | "karmada";
  readonly output?: Exclude<Format, "table">;
  readonly showManagedFields?: boolean;
  /** False with `--no-headers`. */
  readonly headers: boolean;
}

/** Adds `get`. */
export function addGet(program: Command, shell: Shell): void {
  const command = program
    .command("get <kind> [names...]")
    .helpGroup("Basic:")
    .description("Show objects of a kind on the host and in its members, and whose they are.");
  namespaceOptions(fleetOptions(command), { all: true })
    .option("-l, --selector <selector>", "only objects with these labels, such as app=web")
    .addOption(scopeOption())
    .addOption(formatOption("wide", "json", "yaml", "name"))
    .option("--no-headers", "no header over the table")
    .option("--show-managed-fields", "with -o json or yaml, also who owns which field")
    .addHelpText("after", HELP)
    .action((kind: string, names: string[], flags: GetFlags) => get([kind, ...names], flags, shell));
  suggest(command, { argument: "objects" });
}

const HELP = `
ADOPTION says Template (on the host, claimed by a policy), Adopted (it was in the member before), Created (Holdfast made
it there), Foreign (it is there and not ours), Missing (it should be there). Exit code 4: a member could not be looked at.
${examples(
  "holdfast get deploy -A",
  "holdfast get deploy/web svc/web -n shop -C member1",
  "holdfast get cm -l app=web -o json",
)}`;

function scopeOption(): Option {
  const description = "where to look; karmada is the host too";
  return new Option("--operation-scope <where>", description)
    .choices(["all", "host", "members", "karmada"])
    .default("all");
}

async function get(words: readonly string[], flags: GetFlags, shell: Shell): Promise<void> {
  await withFleet(flags, async fleet => {
    const targets = resolveTargets(fleet.discovery.served.resources, words);
    refuse(targets, flags);
    const namespace = namespaceOf(flags, fleet.host);
    const scope = flags.operationScope === "karmada" ? "host" : flags.operationScope;
    const shared = { scope, labelSelector: flags.selector, wanted: await wantedInMembers(fleet, scope) };
    const all = await mapLimited(targets, target => gather(fleet, { asked: { ...target, namespace }, ...shared }));
    const rows = inOrder(all.flatMap(one => one.rows));
    print(rows, targets, flags, shell);
    tellSilent(all, shell);
    if (targets.some(({ names }) => names.length > 0)) await tellUnclaimed(rows, fleet, shell);
    tellMissing(rows, targets, fleet);
    if (rows.length === 0) shell.output.note(nothingIn(namespace));
  });
}

/** @throws Problem for flags that contradict what is named */
function refuse(targets: readonly Target[], { allNamespaces, selector }: GetFlags): void {
  if (targets.every(({ names }) => names.length === 0)) return;
  if (selector !== undefined) {
    throw new Problem("names and --selector are given", "name the objects, or select them by labels", EXIT.usage);
  }
  if (allNamespaces && targets.some(({ resource, names }) => resource.namespaced && names.length > 0)) {
    throw new Problem("names and --all-namespaces are given", "say which namespace with -n", EXIT.usage);
  }
}

function print(rows: readonly Row[], targets: readonly Target[], flags: GetFlags, { output }: Shell): void {
  const { output: format = "table", headers, allNamespaces } = flags;
  if (isData(format)) {
    const items = rows.flatMap(row => itemOf(row, flags.showManagedFields === true) ?? []);
    return output.print(documentOf(items.length === 1 && isNamed(targets) ? items[0] : listOf(items), format));
  }
  if (format === "name") {
    const names = rows.filter(({ object }) => object).map(({ resource, name }) => nameOf(resource, name));
    for (const name of new Set(names)) output.print(name);
    return;
  }
  if (rows.length === 0) return;
  const columns = columnsFor(targets.length > 1, allNamespaces === true);
  for (const line of tableOf(columns, rows, { wide: format === "wide", headers })) output.print(line);
}

const isNamed = ([first, ...others]: readonly Target[]): boolean => others.length === 0 && first?.names.length === 1;

function columnsFor(severalKinds: boolean, severalNamespaces: boolean): readonly Column<Row>[] {
  const columns: readonly Column<Row>[] = [
    { header: "Namespace", value: ({ namespace }) => namespace },
    { header: "Name", value: ({ resource, name }) => (severalKinds ? nameOf(resource, name) : name) },
    { header: "Cluster", value: ({ place }) => ("cluster" in place ? place.cluster : "<host>") },
    { header: "Ready", value: ({ ready }) => ready },
    { header: "Status", value: ({ status }) => status },
    { header: "Adoption", value: ({ adoption }) => adoption },
    { header: "Age", value: row => ageIn(row) },
    { header: "By", value: ({ by }) => by, wide: true },
    { header: "UID", value: ({ object }) => object?.metadata.uid, wide: true },
  ];
  return severalNamespaces ? columns : columns.slice(1);
}

function ageIn({ object, adoption }: Row): string | undefined {
  if (object) return ageOf(object.metadata.creationTimestamp);
  return adoption === "Missing" ? undefined : UNKNOWN;
}

function tellSilent(all: readonly Gathered[], { output, finish }: Shell): void {
  const silent = new Map(all.flatMap(({ silent: some }) => [...some]));
  for (const [cluster, why] of silent) output.warn(`${cluster} could not be looked at: ${why}`);
  if (silent.size > 0) finish(EXIT.unproven);
}

/** Of what a person names: why it goes nowhere, although a policy selects it. Who may not read policies is not told. */
async function tellUnclaimed(rows: readonly Row[], { host }: Fleet, { output }: Shell): Promise<void> {
  const unclaimed = rows.filter(({ place, adoption }) => "host" in place && adoption === undefined);
  if (unclaimed.length === 0) return;
  const whyOf = await readWhyUnclaimed(host.client).catch((error: unknown) => {
    if (error instanceof KubeError) return () => undefined;
    throw error;
  });
  for (const { object, resource, name } of unclaimed) {
    const why = object && whyOf({ ...object, apiVersion: apiVersionOf(resource), kind: resource.kind });
    if (why) output.note(`${nameOf(resource, name)} goes nowhere: ${why}`);
  }
}

/** @throws Problem for a name that is nowhere; the others are shown by then */
function tellMissing(rows: readonly Row[], targets: readonly Target[], { clusters }: Fleet): void {
  const missing = targets.flatMap(({ resource, names }) =>
    names
      .filter(name => !rows.some(row => row.resource === resource && row.name === name))
      .map(name => `${nameOf(resource, name)} is nowhere`),
  );
  if (missing.length === 0) return;
  const places = ["the host", ...clusters.map(({ metadata }) => metadata.name)];
  throw new Problem(missing.join("; "), `looked at ${places.join(", ")}; is it in another namespace (-n)?`);
}

function nothingIn(namespace: string | undefined): string {
  return namespace === undefined ? "No resources found." : `No resources found in namespace ${namespace}.`;
}
