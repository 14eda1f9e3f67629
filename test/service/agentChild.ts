/**
 * A server of agent jobs in the directory given, until it is killed. With credits, if a second argument gives them. Begins when it reads
 * a port, 0 for any; writes its address.
 * Prompts "waiting", "uninterruptible" and "for N ms" are scripted, the others end at once.
 */
import { join } from "node:path"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import * as Accounts from "docsluice/service/Accounts"
import * as AgentJobs from "docsluice/service/AgentJobs"
import * as Server from "docsluice/service/Server"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Layer } from "effect"
import { make as createServer } from "../../src/internal/server/nodeHttpServer.ts"
import * as ScriptedRunner from "../fixtures/ScriptedRunner.ts"

const [directory = "", credits] = process.argv.slice(2)

const answer = ScriptedRunner.make()

const lasting = (millis: number): ScriptedRunner.Script => ({
  run: (agent, task) => Effect.delay(answer.run(task, agent), `${millis} millis`)
})

const scripts: ScriptedRunner.Scripts = {
  ...Object.fromEntries(Array.from({ length: 1000 }, (_, millis) => [`for ${millis} ms`, lasting(millis)])),
  waiting: { run: () => Effect.never },
  uninterruptible: {
    run: (agent) =>
      Effect.zipRight(agent.emit({ type: "reasoning.summary", text: "at work" }), Effect.uninterruptible(Effect.never))
  }
}

const jobs = AgentJobs.layer({ directory: join(directory, "jobs"), concurrency: 64 })

const address = HttpServer.addressFormattedWith((address) =>
  Effect.sync(() => process.stdout.write(`${address.replace("0.0.0.0", "127.0.0.1")}\n`))
)

const server = (port: number) =>
  Server.layer(credits === undefined ? {} : { credits: Number(credits) }).pipe(
    Layer.provide([
      ScriptedEngine.layer(),
      Layer.provide(jobs, ScriptedRunner.layer(scripts)),
      Accounts.layer(join(directory, "accounts"))
    ]),
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port, host: "127.0.0.1" })),
    Layer.tap((context) => Effect.provide(address, context)),
    Layer.launch
  )

process.stdin.once("data", (port) => {
  Effect.runPromise(server(Number(port)))
})
