/** Runs commands one after another in this process, and says on stdout how each ended: a JSON list. */
import { writeSync } from "node:fs"
import { runHere, type Result } from "./run.ts"

const isCommands = (value: unknown): value is ReadonlyArray<ReadonlyArray<string>> =>
  Array.isArray(value) && value.every((words) => Array.isArray(words))

const commands: unknown = JSON.parse(process.argv[2] ?? "")
const results: Array<Result> = []
if (isCommands(commands)) for (const words of commands) results.push(await runHere(words))
writeSync(1, JSON.stringify(results))
