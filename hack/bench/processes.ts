// What does a process cost: processor time, memory, connections?
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";

/** The kernel counts processor time in hundredths of a second, whatever its own clock is (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100;
const ESTABLISHED = "01";

/** One TCP connection as seen from this machine. */
export interface Socket {
  readonly localPort: number;
  readonly remotePort: number;
  readonly established: boolean;
  /** 0 when no process has it any more. */
  readonly inode: number;
}

/** Processor time since the start of the process, seconds; 0 when there is no such process. */
export function cpuSeconds(pid: number): number {
  const stat = readOr(`/proc/${pid}/stat`, "");
  // The command name may hold spaces and brackets: fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
}

/** Forgets the peak of resident memory up to now (proc(5), clear_refs). @returns whether the kernel lets us. */
export function resetPeakMemory(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return true;
  } catch {
    return false;
  }
}

/** Peak of resident memory, MiB; 0 when there is no such process. */
export function peakMemory(pid: number): number {
  const kib = /^VmHWM:\s+(\d+)/m.exec(readOr(`/proc/${pid}/status`, ""))?.[1];
  return Number(kib ?? 0) / 1024;
}

/** Which of them belong to a process. */
export function socketsOf(pid: number, sockets: readonly Socket[]): Socket[] {
  const own = inodesOf(pid);
  return sockets.filter(({ inode }) => own.has(inode));
}

/** Every TCP connection of this machine, IPv4 and IPv6. */
export function allSockets(): Socket[] {
  return [...parseSockets(readOr("/proc/net/tcp", "")), ...parseSockets(readOr("/proc/net/tcp6", ""))];
}

/** Reads /proc/net/tcp (proc(5)): ports are hexadecimal. */
export function parseSockets(table: string): Socket[] {
  const rows = table.trim().split("\n").slice(1);
  return rows.map(row => {
    const fields = row.trim().split(/\s+/);
    const [, local = "", remote = "", state = ""] = fields;
    const inode = Number(fields[9] ?? 0);
    return { localPort: portOf(local), remotePort: portOf(remote), established: state === ESTABLISHED, inode };
  });
}

function portOf(address: string): number {
  return parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}

function inodesOf(pid: number): Set<number> {
  const dir = `/proc/${pid}/fd`;
  const targets = namesIn(dir).map(fd => targetOf(`${dir}/${fd}`));
  return new Set(targets.flatMap(target => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []).map(Number));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}
