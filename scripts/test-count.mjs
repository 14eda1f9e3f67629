/** Prints a vitest report as `N passed, N failed, N skipped`; a skipped test is a failure here, since CI has every server. */
import { readFileSync } from "node:fs"

const report = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
const skipped = report.numPendingTests + report.numTodoTests
for (const file of report.testResults) {
  for (const test of file.assertionResults) {
    if (test.status !== "passed") console.log(`${test.status}: ${test.fullName}`)
  }
}
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`)
process.exitCode = report.numFailedTests === 0 && skipped === 0 && report.numPassedTests > 0 ? 0 : 1
