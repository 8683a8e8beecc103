// How do two texts differ, in the form of `diff -u`?
import { createTwoFilesPatch } from "diff";
import type { Colors } from "../output/color.js";

/** Two states of one object in one place. `name`: `member1/apps.v1.Deployment.shop.web`. */
export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The lines of a unified diff, with a header that names both states. */
export function unifiedLines({ name, before, after }: Difference, colors: Colors): string[] {
  const patch = createTwoFilesPatch(`LIVE/${name}`, `MERGED/${name}`, before, after, "", "", { context: 3 });
  const [, ...lines] = patch.trimEnd().split("\n");
  return [colors.bold(`diff -u LIVE/${name} MERGED/${name}`), ...lines.map((line, i) => colored(line, i < 2, colors))];
}

function colored(line: string, isHeader: boolean, colors: Colors): string {
  if (isHeader) return colors.bold(line);
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return line.startsWith("@@") ? colors.cyan(line) : line;
}
