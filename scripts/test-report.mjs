/**
 * Reads a report of vitest: `test-report.mjs REPORT` prints `N passed, N failed, N skipped`, and the tests that did not pass. A skipped
 * test is a failure here, since CI has every server; but a case of a sink's suite may be one that its engine cannot show.
 */
import { readFileSync } from "node:fs"

const [report] = process.argv.slice(2)
const files = JSON.parse(readFileSync(report, "utf8")).testResults
const tests = files.flatMap(({ assertionResults }) => assertionResults)
const passed = tests.filter(({ status }) => status === "passed").length
const failed = tests.filter(({ status }) => status === "failed").length
const skipped = tests.filter(({ meta, status }) => status !== "passed" && status !== "failed" && !meta?.notVerifiable)
const broken = files.filter(({ status }) => status !== "passed")
for (const { fullName } of tests.filter(({ status }) => status === "failed")) console.log(`failed: ${fullName}`)
for (const { fullName } of skipped) console.log(`skipped: ${fullName}`)
for (const { name } of broken) console.log(`failed: ${name}`)
console.log(`not verifiable, cases of sinks: ${tests.length - passed - failed - skipped.length}`)
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
process.exitCode = passed > 0 && failed + skipped.length + broken.length === 0 ? 0 : 1
