// Do tables look as kubectl's do?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignedLines, tableOf, type Column } from "./table.js";

interface Pet {
  readonly name: string;
  readonly legs?: number;
}
const columns: readonly Column<Pet>[] = [
  { header: "Name", value: ({ name }) => name },
  { header: "Kept-By", value: () => "", wide: true },
  { header: "Legs", value: ({ legs }) => legs },
];
const pets: readonly Pet[] = [{ name: "cat", legs: 4 }, { name: "long snake" }];

describe("tableOf", () => {
  it("has a header in upper case, three blanks between, and <none> for nothing", () => {
    expect(tableOf(columns, pets)).toEqual(["NAME         LEGS", "cat          4", "long snake   <none>"]);
  });

  it("shows wide columns when it is asked to, and leaves the header out when it is told to", () => {
    expect(tableOf(columns, pets.slice(0, 1), { wide: true, headers: false })).toEqual(["cat   <none>   4"]);
  });

  it("keeps a row on one line", () => {
    expect(tableOf(columns, [{ name: "two\nlines" }], { headers: false })).toEqual(["two lines   <none>"]);
  });
});

describe("alignedLines", () => {
  it("gives colours no room", () => {
    const lines = alignedLines([
      ["\u001b[32mok\u001b[39m", "a"],
      ["failed", "b"],
    ]);
    expect(lines.map(line => line.at(-1))).toEqual(["a", "b"]);
    expect(lines[0]?.replaceAll(/\u001b\[\d+m/g, "")).toBe("ok       a");
  });

  it("begins every column in one place", () => {
    const cell = fc.stringMatching(/^[a-z<>/-]{1,12}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), rows => {
        const lines = alignedLines(rows);
        const starts = [0, 1, 2].map(column => {
          const before = rows.map(row => row.slice(0, column));
          return column === 0 ? 0 : Math.max(...alignedLines(before).map(line => line.length)) + 3;
        });
        rows.forEach((row, y) =>
          row.forEach((text, x) => expect(lines[y]?.slice(starts[x])).toMatch(RegExp(`^${escaped(text)}`))),
        );
      }),
    );
  });
});

const escaped = (text: string): string => text.replaceAll(/[/\-<>]/g, "\\$&");
