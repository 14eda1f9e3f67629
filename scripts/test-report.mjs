/**
 * Reads reports of vitest; a file that is in several counts as it is in the last.
 *
 * `failed REPORT…` prints the test files that failed. `count REPORT…` prints `N passed, N failed, N skipped`, and what did not pass;
 * a skipped test is a failure here, since CI has every server.
 */
import { existsSync, readFileSync } from "node:fs"

const [command, ...reports] = process.argv.slice(2)
const files = new Map()
for (const report of reports.filter((path) => existsSync(path))) {
  for (const file of JSON.parse(readFileSync(report, "utf8")).testResults) files.set(file.name, file)
}

if (command === "failed") {
  for (const { name, status } of files.values()) if (status !== "passed") console.log(name)
} else {
  const tests = [...files.values()].flatMap(({ assertionResults }) => assertionResults)
  const notPassed = tests.filter(({ status }) => status !== "passed")
  for (const { fullName, status } of notPassed) console.log(`${status}: ${fullName}`)
  const failed = notPassed.filter(({ status }) => status === "failed").length
  const broken = [...files.values()].filter(({ status }) => status !== "passed")
  for (const { name } of broken) console.log(`failed: ${name}`)
  console.log(`${tests.length - notPassed.length} passed, ${failed} failed, ${notPassed.length - failed} skipped`)
  process.exitCode = tests.length > 0 && notPassed.length + broken.length === 0 ? 0 : 1
}
