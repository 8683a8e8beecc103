// Can this machine's Go build our modules?

/**
 * The sentence for a person whose Go is too old, or undefined when all is well. From 1.21 on, Go fetches a newer
 * toolchain by itself unless GOTOOLCHAIN says `local` (https://go.dev/doc/toolchain).
 * @param version what `go version` prints
 * @param toolchain what `go env GOTOOLCHAIN` prints
 * @param mods the text of every go.mod that is to be built
 */
export function goProblem(version: string, toolchain: string, mods: readonly string[]): string | undefined {
  const have = parse(/\bgo(\d+)\.(\d+)(?:\.(\d+))?/.exec(version));
  const needed = mods
    .map(mod => parse(/^go (\d+)\.(\d+)(?:\.(\d+))?$/m.exec(mod)))
    .sort(compare)
    .at(-1);
  if (!have || !needed || compare(have, needed) >= 0) return undefined;
  if (compare(have, [1, 21, 0]) >= 0 && !toolchain.trim().startsWith("local")) return undefined;
  return `Go ${have.join(".")} is too old: install Go ${needed.join(".")} or newer (https://go.dev/dl).`;
}

type Version = readonly [major: number, minor: number, patch: number];

function parse(match: RegExpExecArray | null): Version | undefined {
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

function compare(a: Version | undefined, b: Version | undefined): number {
  const [left, right] = [a ?? [0, 0, 0], b ?? [0, 0, 0]];
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
