// Which words may stand at the cursor?
import type { Command, Option } from "commander";
import { optionsOf, readLine, type Line } from "./line.js";
import { FLAG_SOURCES, suggestionsFor, type Source } from "./sources.js";

/** One word, and what a shell may show beside it. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** What to complete with. `files`: the shell knows the names. */
export interface Answer {
  readonly candidates: readonly Candidate[];
  readonly files?: boolean;
}

/** Live names: of kinds, objects, members, namespaces, contexts. Never throws; has nothing to offer instead. */
export interface Names {
  kinds(line: Line): Promise<readonly string[]>;
  objects(line: Line, kind: string): Promise<readonly string[]>;
  clusters(line: Line): Promise<readonly string[]>;
  namespaces(line: Line): Promise<readonly string[]>;
  contexts(line: Line): Promise<readonly string[]>;
}

const NOTHING: Answer = { candidates: [] };

/** Completes the last of the words behind the program's name. */
export async function complete(program: Command, words: readonly string[], names: Names): Promise<Answer> {
  const line = readLine(program, words);
  const { candidates, files } = await atPlace(program, line, names);
  const prefix = line.place.at === "value" ? line.place.prefix : "";
  const fitting = candidates.filter(({ value }) => value.startsWith(line.current));
  return { files, candidates: fitting.map(one => ({ ...one, value: `${prefix}${one.value}` })) };
}

async function atPlace(program: Command, line: Line, names: Names): Promise<Answer> {
  const { command, place } = line;
  switch (place.at) {
    case "command":
      return { candidates: command.createHelp().visibleCommands(command).map(wordOf) };
    case "flag":
      return { candidates: optionsOf(program, command).flatMap(flagOf) };
    case "value":
      return valueOf(place.option, line, names);
    case "argument":
      return argumentOf(line, place.index, names);
  }
}

function wordOf(command: Command): Candidate {
  return { value: command.name(), description: command.description() };
}

function flagOf({ long, description }: Option): Candidate[] {
  return long ? [{ value: long, description }] : [];
}

async function valueOf(option: Option, line: Line, names: Names): Promise<Answer> {
  if (option.argChoices) return plain(option.argChoices);
  const long = option.long ?? "";
  const source = suggestionsFor(line.command).flags?.[long] ?? FLAG_SOURCES[long];
  if (source === "cluster") return plain(inList(line.current, await names.clusters(line)));
  return source ? fromSource(source, line, names) : NOTHING;
}

/** Of a list with commas the last part is completed, with what is not in it yet. */
function inList(current: string, all: readonly string[]): string[] {
  const given = current.split(",").slice(0, -1);
  const before = given.map(name => `${name},`).join("");
  return all.filter(name => !given.includes(name)).map(name => `${before}${name}`);
}

async function argumentOf(line: Line, index: number, names: Names): Promise<Answer> {
  const { argument } = suggestionsFor(line.command);
  if (argument === undefined) return plain(line.command.registeredArguments[index]?.argChoices ?? []);
  if (argument !== "object" && argument !== "objects") return index === 0 ? fromSource(argument, line, names) : NOTHING;
  return plain(await objectWords(line, index, argument === "objects", names));
}

/** KIND, then names of that kind; or KIND/NAME, several of them where several objects are meant. */
async function objectWords(line: Line, index: number, several: boolean, names: Names): Promise<readonly string[]> {
  const { current, positionals } = line;
  const [first = ""] = positionals;
  const slash = current.indexOf("/");
  const isPair = index === 0 || (several && first.includes("/"));
  if (isPair && slash < 0) return names.kinds(line);
  if (isPair) {
    const kind = current.slice(0, slash);
    const all = (await names.objects(line, kind)).map(name => `${kind}/${name}`);
    return all.filter(pair => !positionals.includes(pair));
  }
  if (first.includes("/") || (!several && index > 1)) return [];
  return (await names.objects(line, first)).filter(name => !positionals.slice(1).includes(name));
}

async function fromSource(source: Source, line: Line, names: Names): Promise<Answer> {
  switch (source) {
    case "cluster":
      return plain(await names.clusters(line));
    case "namespace":
      return plain(await names.namespaces(line));
    case "context":
      return plain(await names.contexts(line));
    case "file":
      return { candidates: [], files: true };
    case "object":
    case "objects":
      return plain(await objectWords(line, 0, false, names));
  }
}

function plain(values: readonly string[]): Answer {
  return { candidates: values.map(value => ({ value })) };
}
