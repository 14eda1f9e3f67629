import { assert, describe, it } from "@effect/vitest"
import * as ArtifactSource from "docsluice/ArtifactSource"
import * as AutoChunker from "docsluice/AutoChunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as AgentClient from "docsluice/service/AgentClient"
import { AgentFailed, type Artifact } from "docsluice/service/AgentJobs"
import * as AgentJobs from "docsluice/service/AgentJobs"
import * as Embedded from "docsluice/service/Embedded"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer } from "effect"
import * as ScriptedRunner from "./fixtures/ScriptedRunner.ts"

const version = (artifactId: string, kind: Artifact["kind"], content: string, path?: string): Artifact => ({
  artifactId,
  kind,
  change: "update",
  content,
  ...(path !== undefined && { path })
})

const artifacts = [
  version("report", "markdown", "# Draft"),
  version("table", "json", '{"rain": 612, "fence": "```"}', "tables/rain.json"),
  version("page", "html", "<p>Rain</p>"),
  version("notes", "text", "Notes of v1.2", "../notes v1.2"),
  version("list", "text", "a,b\n1,2", "list.csv"),
  version("other", "text", "Another list", "list.csv"),
  version("report", "markdown", "# Report\n\nIt rained 612 millimetres.")
]

const jobs = (ending: Effect.Effect<unknown, AgentFailed>) =>
  Embedded.layerAgentClient().pipe(
    Layer.provide(AgentJobs.layerMemory()),
    Layer.provide(
      ScriptedRunner.layer({
        write: { run: (agent) => Effect.zipRight(Effect.forEach(artifacts, agent.write), ending) }
      })
    )
  )

const fast = { firstPause: "5 millis" } as const

const stored = (jobId: string, store: MemorySink.Store) =>
  Effect.gen(function* () {
    const sinks = [yield* MemorySink.make(store)]
    const source = ArtifactSource.make(jobId, fast)
    return yield* Pipeline.run({ source, chunker: AutoChunker.make(), sinks })
  }).pipe(
    Effect.provide(
      ArtifactSource.layerParser.pipe(
        Layer.provide(Parser.layer()),
        Layer.provide(Embedded.layerEngine()),
        Layer.provide(ScriptedEngine.layer())
      )
    ),
    Effect.provide([Tokenizer.layerCharacters, DeadLetter.layerMemory])
  )

describe("artifacts of a job as a source", () => {
  it.scopedLive("are chunked and stored in their last version, under ids of job and name alone", () =>
    Effect.gen(function* () {
      const client = yield* AgentClient.AgentClient
      const jobId = yield* client.submit({ prompt: "write" })
      const store = MemorySink.emptyStore()
      const summary = yield* stored(jobId, store)
      assert.deepInclude(summary, { exit: 0, stored: 6, failed: 0 })
      const chunks = [...store.chunks.values()]
      const names = ["report.md", "tables/rain.json", "page.html", "notes v1.2.txt", "list.csv", "other/list.csv"]
      assert.sameMembers(
        [...new Set(chunks.map(({ documentId }) => String(documentId)))],
        names.map((name) => `${jobId}/${name}`)
      )
      const textOf = (name: string) =>
        chunks
          .filter(({ source }) => source === name)
          .map(({ text }) => text)
          .join()
      assert.include(textOf("report.md"), "612 millimetres")
      assert.notInclude(textOf("report.md"), "Draft")
      assert.match(textOf("tables/rain.json"), /````json\n\{"rain": 612/u)
      const again = MemorySink.emptyStore()
      yield* stored(jobId, again)
      assert.sameMembers([...again.chunks.keys()], [...store.chunks.keys()])
    }).pipe(Effect.provide(jobs(Effect.succeed(null))))
  )

  it.scopedLive("of a run that failed are those that it wrote before", () =>
    Effect.gen(function* () {
      const client = yield* AgentClient.AgentClient
      const jobId = yield* client.submit({ prompt: "write" })
      const store = MemorySink.emptyStore()
      assert.strictEqual((yield* stored(jobId, store)).stored, 6)
    }).pipe(Effect.provide(jobs(new AgentFailed({ error: "broken", retryable: false }))))
  )

  it.scopedLive("of a job that is not there fail with the service's error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(stored("3f0d8a52-6d3c-4a0b-9d0a-0d3c6c1f7e55", MemorySink.emptyStore()))
      assert.strictEqual(error._tag, "AgentJobNotFound")
    }).pipe(Effect.provide(jobs(Effect.succeed(null))))
  )
})
