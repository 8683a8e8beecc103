// Which types does hack/tally.mjs have?

/** As much of the report of vitest's `json` reporter as is read here. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * The counts of a run of vitest. A file that fails outside its tests (it does not load, a hook throws) counts as one
 * failure, and so does a run that fails without saying where: nothing that is broken is counted as nothing.
 * @param report undefined when vitest did not come to write one.
 */
export function tally(report: Report | undefined, exitCode: number): { passed: number; failed: number };
