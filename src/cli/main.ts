#!/usr/bin/env node
/** Entry of the command line. Help pages and the version are printed as the build wrote them, without loading a command. */
import * as FirstDocument from "./FirstDocument.ts"
import * as HeapGrowth from "./HeapGrowth.ts"
import * as Pages from "./Pages.ts"

HeapGrowth.limit()

// A reader that stops early, as in `docsluice chunks f.pdf | head`, is not an error.
process.stdout.on("error", () => process.exit(0))

const words = process.argv.slice(2)
const page = Pages.find(words, process.stdout)
if (page === undefined) {
  const jobs = FirstDocument.jobsOf(words, process.env)
  // Their parsers load in their processes while this one loads the program.
  if (jobs.length > 0) (await import("../engine/Ahead.ts")).start(jobs)
  const { start } = await import("./start.ts")
  start(words)
} else {
  process.stdout.write(page)
}
