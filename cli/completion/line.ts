// What is being written at the end of a command line?
import type { Command, Option } from "commander";

/** What stands at the cursor: the name of a command, an argument (which one), a flag, or the value of a flag. */
export type Place =
  | { readonly at: "command" }
  | { readonly at: "argument"; readonly index: number }
  | { readonly at: "flag" }
  | { readonly at: "value"; readonly option: Option; readonly prefix: string };

/** A command line as far as it is written. */
export interface Line {
  readonly command: Command;
  /** Arguments before the cursor, without flags. */
  readonly positionals: readonly string[];
  /** Values of flags, by long name: `--namespace`; `true` for those that take none. */
  readonly flags: ReadonlyMap<string, string | true>;
  /** The word at the cursor; of `--flag=value` the value. */
  readonly current: string;
  readonly place: Place;
}

/** Reads the words behind the program's name; the last one is at the cursor, and may be empty. */
export function readLine(program: Command, words: readonly string[]): Line {
  const word = words.at(-1) ?? "";
  const state = walk(program, words.slice(0, -1));
  const { command, positionals, flags } = state;
  return { command, positionals, flags, ...cursorAt(program, state, word) };
}

function cursorAt(program: Command, state: State, word: string): Pick<Line, "current" | "place"> {
  const { command, positionals, open, isLiteral } = state;
  if (open) return { current: word, place: { at: "value", option: open, prefix: "" } };
  if (word.startsWith("-") && !isLiteral) return flagAt(program, command, word);
  const isCommand = command.commands.length > 0 && positionals.length === 0;
  return { current: word, place: isCommand ? { at: "command" } : { at: "argument", index: positionals.length } };
}

function flagAt(program: Command, command: Command, word: string): Pick<Line, "current" | "place"> {
  const [flag, value] = splitOnce(word);
  const option = value === undefined ? undefined : optionOf(program, command, flag);
  if (!option || value === undefined) return { current: word, place: { at: "flag" } };
  return { current: value, place: { at: "value", option, prefix: `${flag}=` } };
}

/** All flags that may stand on the line, the command's own first. */
export function optionsOf(program: Command, command: Command): readonly Option[] {
  const all = command === program ? command.options : [...command.options, ...program.options];
  return all.filter(({ hidden }) => !hidden);
}

interface State {
  command: Command;
  readonly positionals: string[];
  readonly flags: Map<string, string | true>;
  /** The flag whose value comes next. */
  open: Option | undefined;
  /** Behind `--` nothing is a flag. */
  isLiteral: boolean;
}

function walk(program: Command, words: readonly string[]): State {
  const state: State = { command: program, positionals: [], flags: new Map(), open: undefined, isLiteral: false };
  for (const word of words) {
    if (state.open) close(state, word);
    else if (word === "--") state.isLiteral = true;
    else if (word.startsWith("-") && !state.isLiteral) takeFlag(state, program, word);
    else takeWord(state, word);
  }
  return state;
}

function close(state: State, value: string): void {
  if (state.open?.long) state.flags.set(state.open.long, value);
  state.open = undefined;
}

function takeFlag(state: State, program: Command, word: string): void {
  const [flag, value] = splitOnce(word);
  const option = optionOf(program, state.command, flag);
  if (!option) return;
  if (value !== undefined) state.flags.set(option.long ?? flag, value);
  else if (option.required) state.open = option;
  else state.flags.set(option.long ?? flag, true);
}

function takeWord(state: State, word: string): void {
  const inner = state.positionals.length === 0 ? state.command.commands.find(one => one.name() === word) : undefined;
  if (inner) state.command = inner;
  else state.positionals.push(word);
}

function optionOf(program: Command, command: Command, flag: string): Option | undefined {
  return optionsOf(program, command).find(({ long, short }) => flag === long || flag === short);
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
