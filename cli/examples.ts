// How do examples stand in the help of a command?

/** The last part of a command's help. */
export function examples(...lines: readonly string[]): string {
  return ["", "Examples:", ...lines.map(line => `  ${line}`)].join("\n");
}
