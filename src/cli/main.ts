#!/usr/bin/env node
/** The entry of the command line, and the one place where its effects are run. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { program } from "./program.ts"

// A reader that has seen enough, as in `docsluice chunks f.pdf | head`, is no failure.
process.stdout.on("error", () => process.exit(0))

Effect.runFork(program(process.argv.slice(2), process)).addObserver((exit) =>
  process.exit(Exit.isSuccess(exit) ? exit.value : 2)
)
