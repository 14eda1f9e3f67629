#!/usr/bin/env node
/** Entry of the command line, and the only place where its effects are run. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HeapGrowth from "./HeapGrowth.ts"
import { program } from "./program.ts"

HeapGrowth.limit()

// A reader that stops early, as in `docsluice chunks f.pdf | head`, is not an error.
process.stdout.on("error", () => process.exit(0))

Effect.runFork(program(process.argv.slice(2), process)).addObserver((exit) =>
  process.exit(Exit.isSuccess(exit) ? exit.value : 2)
)
