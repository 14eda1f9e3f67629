/** Runs commands one after another in this process, on its own terminal. Before each a line with its number. */
import { Effect } from "effect"
import { program } from "../../src/cli/program.ts"

const isCommands = (value: unknown): value is ReadonlyArray<ReadonlyArray<string>> =>
  Array.isArray(value) && value.every((words) => Array.isArray(words))

const commands: unknown = JSON.parse(process.argv[2] ?? "")
if (isCommands(commands)) {
  for (const [at, words] of commands.entries()) {
    process.stdout.write(`\n@@ ${at}\n`)
    const status = await Effect.runPromise(program(words, process))
    process.stdout.write(`@@ status ${status}\n`)
  }
}
process.exit()
