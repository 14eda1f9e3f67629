/**
 * Reads reports of vitest: `test-report.mjs REPORT…` prints `N passed, N failed, N skipped` of all of them, and the tests that did not
 * pass. A skipped test is a failure here, since CI has every server; but a case of a sink's suite may be one that its engine cannot
 * show. A report that is not there is a failure too: its run did not come to its end.
 */
import { existsSync, readFileSync } from "node:fs"

const reports = process.argv.slice(2)
const absent = reports.filter((report) => !existsSync(report))
const files = reports
  .filter((report) => !absent.includes(report))
  .flatMap((report) => JSON.parse(readFileSync(report, "utf8")).testResults)
const tests = files.flatMap(({ assertionResults }) => assertionResults)
const passed = tests.filter(({ status }) => status === "passed").length
const failed = tests.filter(({ status }) => status === "failed").length
const skipped = tests.filter(({ meta, status }) => status !== "passed" && status !== "failed" && !meta?.notVerifiable)
const broken = files.filter(({ status }) => status !== "passed")
for (const { fullName } of tests.filter(({ status }) => status === "failed")) console.log(`failed: ${fullName}`)
for (const { fullName } of skipped) console.log(`skipped: ${fullName}`)
for (const { name } of broken) console.log(`failed: ${name}`)
for (const report of absent) console.log(`failed: there is no ${report}`)
console.log(`not verifiable, cases of sinks: ${tests.length - passed - failed - skipped.length}`)
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
process.exitCode = passed > 0 && failed + skipped.length + broken.length + absent.length === 0 ? 0 : 1
