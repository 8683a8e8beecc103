// How do files become a tar archive whose bytes depend on nothing but them?
// Written by hand: what packages for tar do beyond these fields (times, owners, extensions) is what must not happen here.

/** One entry. `path` is relative, without a leading or a trailing slash; `owner` is both uid and gid. */
export interface TarEntry {
  readonly path: string;
  readonly mode: number;
  readonly owner: number;
  /** A directory where there is none. */
  readonly content?: Uint8Array;
}

const BLOCK = 512;
const NAME_BYTES = 100;

/**
 * A POSIX ustar archive (IEEE Std 1003.1, pax): entries sorted by path, times 0, owners as numbers only. Directories that
 * are missing above an entry are added, as root's.
 * @throws Error for a path of more than 100 bytes, and for two entries of one path.
 */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const sorted = withDirectories(entries).sort((a, b) => (a.path < b.path ? -1 : 1));
  const twice = sorted.find(({ path }, index) => path === sorted[index + 1]?.path);
  if (twice) throw new Error(`${twice.path}: stands twice in the archive`);
  return Buffer.concat([...sorted.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]);
}

function withDirectories(entries: readonly TarEntry[]): TarEntry[] {
  const known = new Set(entries.map(({ path }) => path));
  const above = new Set(entries.flatMap(({ path }) => directoriesAbove(path)).filter(path => !known.has(path)));
  return [...entries, ...[...above].map(path => ({ path, mode: 0o755, owner: 0 }))];
}

function directoriesAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function blocksOf(entry: TarEntry): Uint8Array[] {
  const content = entry.content ?? new Uint8Array();
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return [headerOf(entry, content.length), content, padding];
}

function headerOf({ path, mode, owner, content }: TarEntry, size: number): Buffer {
  const name = content ? path : `${path}/`;
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`${path}: longer than ${NAME_BYTES} bytes`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(owner, 8), 108);
  header.write(octal(owner, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  // The checksum is taken with blanks in its own place.
  header.write(" ".repeat(8), 148);
  header.write(content ? "0" : "5", 156);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\0 `, 148);
  return header;
}

/** A number in a field of `width` bytes, of which the last one ends it. */
function octal(value: number, width: number): string {
  return value.toString(8).padStart(width - 1, "0");
}
