// How many tests passed and failed, when a file that does not even load counts as a failure?

/** See tally.d.mts. */
export function tally(report, exitCode) {
  const files = report?.testResults ?? [];
  const broken = files.filter(file => file.status === "failed" && !file.assertionResults.some(isFailure)).length;
  const failed = (report?.numFailedTests ?? 0) + broken;
  return { passed: report?.numPassedTests ?? 0, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

function isFailure(test) {
  return test.status === "failed";
}
