/**
 * Reads a report of vitest: `test-report.mjs REPORT` prints `N passed, N failed, N skipped`, and what did not pass. A skipped test is a
 * failure here, since CI has every server.
 */
import { readFileSync } from "node:fs"

const [report] = process.argv.slice(2)
const files = JSON.parse(readFileSync(report, "utf8")).testResults
const tests = files.flatMap(({ assertionResults }) => assertionResults)
const notPassed = tests.filter(({ status }) => status !== "passed")
const broken = files.filter(({ status }) => status !== "passed")
const failed = notPassed.filter(({ status }) => status === "failed").length
for (const { fullName, status } of notPassed) console.log(`${status}: ${fullName}`)
for (const { name } of broken) console.log(`failed: ${name}`)
console.log(`${tests.length - notPassed.length} passed, ${failed} failed, ${notPassed.length - failed} skipped`)
process.exitCode = tests.length > 0 && notPassed.length + broken.length === 0 ? 0 : 1
