// Which types does hack/generate.mjs have?

/** Runs one script with a directory as its root and answers its exit code. */
export type RunScript = (script: string, root: string) => Promise<number>;

/** Runs every hack/gen-*.ts below `root`, in the order of their names; answers the first exit code that is not 0. */
export function generate(root: string, runScript: RunScript): Promise<number>;

/**
 * Runs the generators in a copy of the tree, so that nothing here changes, and names on stderr every file that they
 * would make, change or remove.
 * @returns 0 when there is none, else a code that is not 0.
 */
export function checkGenerated(root: string, runScript: RunScript): Promise<number>;
