// How are copies and counts put into lines that a terminal shows whole?
import type { KubeObject } from "../../crds/object.js";
import type { Copy } from "../../lib/domain/propagated.js";
import { titleOf } from "../../lib/domain/title.js";

/** A longer line may be cut by the API server (kube-apiserver's own advice for warnings). */
const LINE = 120;
/** A name may have 253 characters; what happens to it must still fit beside it. */
const LONGEST_SUBJECT = 64;

/** `1 template`, `3 templates`; `copy` becomes `copies`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** `Deployment shop/web`; a very long name is shortened in its middle. */
export function nameOf(object: Pick<KubeObject, "kind" | "metadata">): string {
  const whole = titleOf(object);
  if (whole.length <= LONGEST_SUBJECT) return whole;
  const half = LONGEST_SUBJECT / 2 - 1;
  return `${whole.slice(0, half)}…${whole.slice(-half)}`;
}

/** What happens to the copies, cluster by cluster, in as many lines as it takes; what is lost comes first. */
export function copyLines(subject: string, copies: readonly Copy[]): readonly string[] {
  const ours = copies.filter(({ presence }) => presence !== "Foreign");
  const of = (cascade: Copy["cascade"]): readonly Copy[] => ours.filter(copy => copy.cascade === cascade);
  return [
    ...packed(`${subject}: will be deleted in `, of("background").map(lost)),
    ...packed(`${subject}: kept in `, of("adopted").map(cluster), " if it was there before, else deleted"),
    ...packed(`${subject}: put back as before it was taken over in `, of("restore").map(cluster)),
    ...packed(`${subject}: kept in `, of("orphan").map(cluster)),
    ...packed(
      `${subject}: stays in `,
      copies.filter(copy => !ours.includes(copy)).map(cluster),
      ", where it is not ours",
    ),
  ];
}

const cluster = (copy: Copy): string => copy.cluster;

/** Where nothing was reported nothing may be there: a copy that could not be put there is not ours to delete. */
function lost({ cluster: name, pods = 0, presence }: Copy): string {
  if (pods > 0) return `${name} (${counted(pods, "pod")})`;
  return presence === "Ours" ? name : `${name} (not applied: what is not ours stays)`;
}

/** Items after a head and before a tail, in as many lines as it takes; none for no items. */
export function packed(head: string, items: readonly string[], tail = ""): string[] {
  const lines: string[][] = [];
  for (const item of items) {
    const line = lines.at(-1);
    const joined = head + [...(line ?? []), item].join(", ") + tail;
    if (line && joined.length <= LINE) line.push(item);
    else lines.push([item]);
  }
  return lines.map(line => head + line.join(", ") + tail);
}
