// Which types does hack/npm.mjs have?

/** As much of a package-lock.json as is read here; node_modules/.package-lock.json has the same shape. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly version?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
}

/**
 * Whether the installed packages are others than the lock file wants. Versions decide, not file times: a checkout
 * makes a lock file look new, and a copy makes it look old.
 */
export function needsInstall(wanted: Lock, installed: Lock | undefined): boolean;

/** Whether a version of Node (`20.1.0`) is below the range of package.json's engines, which must be `>=x.y.z`. */
export function tooOld(version: string, range: string): boolean;

/** Runs `npm ci` in `root` when it is needed, one process at a time. @throws Error that says what to do about it. */
export function ensurePackages(root: string): Promise<void>;
