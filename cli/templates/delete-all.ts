// How do all templates of a namespace go, each as its policies say?
import { messageOf } from "../../lib/kube/errors.js";
import type { Fleet } from "../access/fleet.js";
import { tableOf, type Column } from "../output/table.js";
import { fateInWords, statusOf, type Preserved } from "../preserve/status.js";
import { EXIT, Problem } from "../problem.js";
import { shortName } from "../rollback/report.js";
import { readStandings, type Standing } from "../rollback/standing.js";
import { untilDone } from "../rollback/until.js";
import type { Shell } from "../shell.js";
import type { Carried } from "./release.js";
import { unlabel, type Space } from "./space.js";

/** How they are deleted. */
export interface Deleting {
  /** How long nothing may move, milliseconds. */
  readonly timeout: number;
  readonly isWanted: (question: string) => Promise<boolean>;
}

type Row = Pick<Preserved, "object"> & { readonly copy?: Preserved };

const COPIES: readonly Column<Row>[] = [
  { header: "Object", value: ({ object }) => shortName(object) },
  { header: "Cluster", value: ({ copy }) => copy?.cluster },
  { header: "Copy", value: ({ copy }) => (copy ? fateInWords(copy) : "there is none") },
  { header: "By", value: ({ copy }) => copy?.by },
];

/** A template without copies is deleted as well, and must not be missing in what is told. */
function rowsOf(standing: Standing): readonly Row[] {
  const { copies } = statusOf(standing);
  return copies.length > 0 ? copies.map(copy => ({ object: copy.object, copy })) : [{ object: standing.reference }];
}

/**
 * Deletes the templates as their policies say, waits until they are gone, and takes the label off.
 * @throws Problem, KubeError
 */
export async function deleteAll(
  fleet: Fleet,
  { namespace, templates }: Space,
  { timeout, isWanted }: Deleting,
  shell: Shell,
): Promise<void> {
  const { output, progress } = shell;
  const { client } = fleet.host;
  const names = templates.flatMap(({ template: { apiVersion, kind, metadata } }) => {
    const resource = fleet.discovery.find(apiVersion, kind);
    return resource ? [{ resource, namespace: metadata.namespace, name: metadata.name }] : [];
  });
  const standings = await readStandings(
    client,
    names,
    fleet.all.map(({ metadata }) => metadata.name),
  );
  for (const line of tableOf(COPIES, standings.flatMap(rowsOf))) output.print(line);
  const question = `Delete ${templates.length} template(s) of namespace ${namespace.metadata.name}?`;
  if (!(await isWanted(question))) return;
  const failed: string[] = [];
  for (const { template, objects } of templates) {
    await objects
      .delete(template.metadata, { uid: template.metadata.uid })
      .catch((error: unknown) => failed.push(`${shortName(template)}: ${messageOf(error)}`));
  }
  for (const line of failed) output.warn(line);
  if (failed.length > 0) return shell.finish(EXIT.failed);
  const isThere = async ({ template, objects }: Carried): Promise<boolean> =>
    (await objects.find(template.metadata))?.metadata.uid === template.metadata.uid;
  const late = await untilDone(templates, {
    open: async pending => {
      const there = await Promise.all(pending.map(isThere));
      return pending.filter((_, i) => there[i]);
    },
    stillMs: timeout,
    progress,
    what: "templates gone",
    hint: pending => `waits for ${pending.length} template(s) to go; is the operator running?`,
  });
  if (late.length > 0) throw new Problem(`${late.length} template(s) are still going`, "run it again", EXIT.timeout);
  await unlabel(fleet, namespace, null);
  output.print(`namespace ${namespace.metadata.name} holds nothing back any more`);
}
