// The command `rollout`: restarts, or turns back, what kubectl cannot where the template is held.
import { InvalidArgumentError, Option, type Command } from "commander";
import type { KubeObject } from "../../crds/object.js";
import { titleOf } from "../../lib/domain/title.js";
import { messageOf } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { mergeAs, patchAs } from "../access/edit.js";
import { fleetOptions, withFleet, type Fleet, type FleetFlags } from "../access/fleet.js";
import { namespaceOf, namespaceOptions, type NamespaceFlags } from "../access/host.js";
import type { MemberAccess } from "../access/member.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { EXIT, Problem } from "../problem.js";
import { chosenStandings } from "../rollback/names.js";
import { shortName } from "../rollback/report.js";
import type { Standing } from "../rollback/standing.js";
import type { Shell } from "../shell.js";
import { HISTORIES, revisionBefore, revisionsOf, undo, type Revision } from "./revisions.js";

interface RolloutFlags extends FleetFlags, NamespaceFlags {
  readonly toRevision?: number;
}

type Verb = (fleet: Fleet, standing: Standing, flags: RolloutFlags) => Promise<string>;

/** As kubectl writes it: controllers know no other sign. */
const RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";

/** Adds `rollout` with its two verbs. */
export function addRollout(program: Command, shell: Shell): void {
  const rollout = program
    .command("rollout")
    .helpGroup("Basic:")
    .description("Restart the Pods of templates in every member, or turn a template back to an earlier pod template.");
  rollout.copyInheritedSettings(program);
  verb(rollout, shell, { name: "restart", says: "Replace the Pods in every member, a few at a time.", run: restart });
  verb(rollout, shell, {
    name: "undo",
    says: "Give the template the pod template that a member had before.",
    run: back,
  })
    .addOption(
      new Option("--to-revision <number>", "that one of the member's rollout history").argParser(parseRevision),
    )
    .addHelpText("after", UNDO_HELP);
}

const UNDO_HELP = `
The history is the member's: the first one by name, or the one that -C names. What overrides change there stays out of it.
${examples("holdfast rollout undo deploy/web -n shop", "holdfast rollout undo deploy/web -n shop -C member2 --to-revision 3")}`;

function parseRevision(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("write a number, as kubectl rollout history shows it");
  return Number(text);
}

function verb(
  parent: Command,
  shell: Shell,
  { name, says, run }: { readonly name: string; readonly says: string; readonly run: Verb },
): Command {
  const command = parent.command(`${name} <objects...>`).description(says);
  namespaceOptions(fleetOptions(command)).action((words: string[], flags: RolloutFlags) =>
    withFleet(flags, async fleet => {
      const choice = { words, namespace: namespaceOf(flags, fleet.host), selector: undefined };
      const standings = await chosenStandings(fleet, choice);
      for (const standing of standings) {
        try {
          shell.output.print(await run(fleet, standing, flags));
        } catch (error) {
          if (standings.length === 1) throw error;
          shell.output.warn(`${titleOf(standing.reference)}: ${messageOf(error)}`);
          shell.finish(EXIT.failed);
        }
      }
    }),
  );
  suggest(command, { argument: "objects" });
  return command;
}

async function restart(_: Fleet, standing: Standing): Promise<string> {
  const { template, objects } = rolledOut(standing);
  const annotations = { [RESTARTED_AT]: `${new Date().toISOString().slice(0, 19)}Z` };
  await mergeAs(objects(_), template, { spec: { template: { metadata: { annotations } } } });
  return `${shortName(standing.reference)} restarts in every member`;
}

async function back(fleet: Fleet, standing: Standing, { clusters, toRevision }: RolloutFlags): Promise<string> {
  const { template, objects } = rolledOut(standing);
  const member = await fleet.member(placeOf(fleet, standing, clusters));
  const [latest, earlier] = await historyIn(member, template, toRevision);
  const spec = template["spec"] as { readonly template?: unknown };
  const step = undo(spec.template, latest.podTemplate, earlier.podTemplate);
  if ("differs" in step) {
    throw new Problem(
      `${titleOf(template)} and its copy in ${member.name} differ at spec.template${step.differs}`,
      "something else than the template decides there, such as an override: edit the template by hand",
    );
  }
  if (step.operations.length === 0) return `${shortName(standing.reference)} has that pod template already`;
  // Reports come all the time, and change another part.
  const guard = { op: "test", path: "/spec/template", value: spec.template } as const;
  await patchAs(objects(fleet), template, [guard, ...step.operations]);
  return `${shortName(standing.reference)} goes back to revision ${earlier.number} of ${member.name}, in every member`;
}

/** @throws Problem when there is nothing to roll out */
function rolledOut({ reference, template, name }: Standing) {
  if (!template) throw new Problem(`${titleOf(reference)} is not on the host`, "holdfast get shows what is there");
  if (!(template.kind in HISTORIES)) {
    const kinds = Object.keys(HISTORIES).join(", ");
    throw new Problem(`a ${template.kind} rolls nothing out`, `name one of these kinds: ${kinds}`, EXIT.usage);
  }
  return { template, objects: ({ host }: Fleet) => new ResourceClient(host.client, name.resource) };
}

function placeOf({ all }: Fleet, { reference, works }: Standing, wanted: readonly string[] | undefined) {
  const places = works.map(({ cluster }) => cluster);
  const cluster = all.find(({ metadata: { name } }) => places.includes(name) && (wanted?.includes(name) ?? true));
  if (cluster) return cluster;
  const hint = places.length > 0 ? `it is in: ${places.join(", ")}` : "a policy has to place it first";
  throw new Problem(`${titleOf(reference)} is in no member${wanted ? ` of ${wanted.join(", ")}` : ""}`, hint);
}

async function historyIn(
  member: MemberAccess,
  template: KubeObject,
  wanted: number | undefined,
): Promise<readonly [Revision, Revision]> {
  const revisions = await revisionsIn(member, template);
  const [latest] = revisions;
  const earlier = revisionBefore(revisions, wanted);
  if (latest && earlier) return [latest, earlier];
  throw new Problem(
    `${member.name} has no ${wanted === undefined ? "earlier revision" : `revision ${wanted}`} of ${titleOf(template)}`,
    `its revisions: ${revisions.map(({ number }) => number).join(", ") || "<none>"}`,
  );
}

async function revisionsIn(member: MemberAccess, template: KubeObject): Promise<readonly Revision[]> {
  const copy = await member.objects(template)?.find(template.metadata);
  const kept = member.objects({ apiVersion: "apps/v1", kind: HISTORIES[template.kind] ?? "" });
  if (!copy || !kept) return [];
  return revisionsOf(copy, (await kept.list({}, template.metadata.namespace)).items);
}
