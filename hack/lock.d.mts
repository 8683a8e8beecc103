// Which types does hack/lock.mjs have?

/**
 * When a process started, in the kernel's clock ticks since boot (proc(5), field 22 of stat).
 * A pid alone is not an identity, a pid with its start time is.
 * @returns undefined when there is no such process, or only its unreaped rest.
 */
export function startTimeOf(pid: number): string | undefined;

/**
 * Runs `job` while this process holds the lock file `path`; waits for a living holder, takes over from a dead one.
 * @param onWait told once, with the holder's pid, when there is somebody to wait for.
 * @returns what `job` answers; the lock is given back also when it throws.
 */
export function withLock<T>(path: string, job: () => Promise<T>, onWait?: (pid: number) => void): Promise<T>;
