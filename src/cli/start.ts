/** Runs a command of this process: the only place where its effects are run. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { program } from "./program.ts"

/** Runs the command line and ends the process with its exit status. `words` are those after the program's name. */
export const start = (words: ReadonlyArray<string>): void => {
  Effect.runFork(program(words, process)).addObserver((exit) => process.exit(Exit.isSuccess(exit) ? exit.value : 2))
}
