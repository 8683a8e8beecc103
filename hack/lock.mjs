// Who may do a job that only one process at a time may do?
// Plain JavaScript, because hack/run.mjs needs it before any package is installed.
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
const ABANDONED_GUARD_MS = 10_000;

/** See lock.d.mts. */
export function startTimeOf(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The command name may hold spaces and brackets: fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/** See lock.d.mts. */
export async function withLock(path, job, onWait = () => {}) {
  const mine = `${process.pid} ${startTimeOf(process.pid)} ${randomUUID()}\n`;
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; !acquire(path, mine); ) {
    const owner = ownerOf(path);
    if (!told && owner) {
      onWait(Number(owner.split(" ")[0]));
      told = true;
    }
    await sleep(POLL_MS);
  }
  try {
    return await job();
  } finally {
    if (ownerOf(path) === mine) rmSync(path, { force: true });
  }
}

// A hard link appears with its content or not at all: nobody ever reads half an owner.
function acquire(path, mine) {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, mine);
  try {
    if (link(draft, path)) return true;
    return dropDeadOwner(path) && link(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function ownerOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(owner) {
  const [pid, started] = owner.split(" ");
  return startTimeOf(Number(pid)) === started;
}

// Without the guard two waiters could both see the dead owner, and the slower one would remove the faster one's lock.
function dropDeadOwner(path) {
  const owner = ownerOf(path);
  if (owner === undefined || isAlive(owner)) return owner === undefined;
  const guard = `${path}.takeover`;
  try {
    closeSync(openSync(guard, "wx"));
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    dropAbandoned(guard);
    return false;
  }
  try {
    if (ownerOf(path) === owner) rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

function dropAbandoned(guard) {
  const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > ABANDONED_GUARD_MS) rmSync(guard, { force: true });
}
