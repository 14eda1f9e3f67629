/** A server of agent jobs in the directory given, until it is killed; writes its address. */
import { Effect } from "effect"
import { startAgents, waiting } from "./agentFixture.ts"

const directory = process.argv[2] ?? ""

const scripts = {
  waiting,
  uninterruptible: {
    run: (agent) =>
      Effect.zipRight(agent.emit({ type: "reasoning.summary", text: "at work" }), Effect.uninterruptible(Effect.never))
  }
} satisfies Parameters<typeof startAgents>[0]["scripts"]

startAgents({ directory, scripts, concurrency: 64 }).pipe(
  Effect.tap((base) => Effect.sync(() => process.stdout.write(`${base}\n`))),
  Effect.zipRight(Effect.never),
  Effect.scoped,
  Effect.runPromise
)
