// How does a table look that people know from kubectl: no borders, three blanks between, header in upper case?
import { stripVTControlCharacters } from "node:util";

/** What a cell shows: nothing at all is `<none>`. */
export type Cell = string | number | undefined;

/** What nobody could tell; `undefined` is for what is known not to be. */
export const UNKNOWN = "<unknown>";
const NONE = "<none>";

/** One column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly value: (row: Row) => Cell;
  /** Shown with `-o wide` only. */
  readonly wide?: boolean;
}

/** How a table is shown. */
export interface TableOptions {
  readonly wide?: boolean;
  /** False leaves the header out. */
  readonly headers?: boolean;
}

/** The lines of a table. */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { wide = false, headers = true }: TableOptions = {},
): string[] {
  const shown = columns.filter(column => wide || !column.wide);
  const head = shown.map(({ header }) => header.toUpperCase());
  return alignedLines([...(headers ? [head] : []), ...rows.map(row => shown.map(({ value }) => textOf(value(row))))]);
}

/** Cells in columns: left-aligned, three blanks between, none at the end. Colours take no room. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))));
  return rows.map(row =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - widthOf(cell)))
      .join("   ")
      .trimEnd(),
  );
}

function textOf(cell: Cell): string {
  return cell === undefined || cell === "" ? NONE : String(cell).replaceAll("\n", " ");
}

function widthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}
