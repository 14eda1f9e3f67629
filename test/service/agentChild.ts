/** A server of agent jobs in the directory given, until it is killed; writes its address. */
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import * as AgentJobs from "docsluice/service/AgentJobs"
import * as Server from "docsluice/service/Server"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as ScriptedRunner from "docsluice/testing/ScriptedRunner"
import { Effect, Layer } from "effect"
import { make as createServer } from "../../src/internal/server/nodeHttpServer.ts"

const scripts: ScriptedRunner.Scripts = {
  waiting: { run: () => Effect.never },
  uninterruptible: {
    run: (agent) =>
      Effect.zipRight(agent.emit({ type: "reasoning.summary", text: "at work" }), Effect.uninterruptible(Effect.never))
  }
}

const jobs = AgentJobs.layer({ directory: process.argv[2] ?? "", concurrency: 64 })

Server.layer().pipe(
  Layer.provide([ScriptedEngine.layer(), Layer.provide(jobs, ScriptedRunner.layer(scripts))]),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.tap((context) =>
    Effect.provide(
      HttpServer.addressFormattedWith((address) =>
        Effect.sync(() => process.stdout.write(`${address.replace("0.0.0.0", "127.0.0.1")}\n`))
      ),
      context
    )
  ),
  Layer.launch,
  Effect.runPromise
)
