/** `docsluice mcp`: a store for agents, over the Model Context Protocol on stdin and stdout. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import { Signals } from "./Signals.ts"
import * as ToolStore from "./ToolStore.ts"

const takes = { ...ToolStore.takes, quiet: flags.quiet }

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "mcp",
  summary: "a store for agents, over the Model Context Protocol",
  description:
    "Serves a store to one agent on stdin and stdout: to search, list, outline, read and look at documents, and to verify quotations. With --filter or --tenant the agent finds that part of the store alone, whatever it asks for. Ends with its input.",
  exits: "0 its input ended, 130 interrupted, 2 no such store, 64 wrong usage",
  examples: ["docsluice mcp --to libsql:chunks.db"]
}

const serving = Effect.fnUntraced(function* (given: Given) {
  const tools = yield* ToolStore.open({ ...given, environment: process.env })
  const { serve } = yield* Effect.promise(() => import("../internal/mcp/stdio.ts"))
  const signals = yield* Signals
  yield* signals.handled
  const served = Effect.as(serve(tools, { input: process.stdin, output: process.stdout }), 0 as const)
  const interrupted = Effect.as(Deferred.await(signals.first), 130 as const)
  yield* ExitStatus.set(yield* Effect.raceFirst(served, interrupted))
})

export const command = Command.make(about, takes, serving, { status: { LedgerError: 2, SinkError: 2 } })
