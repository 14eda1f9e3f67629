import { assert, describe, it } from "@effect/vitest"
import { compositions, data, type Graph, rooms, stages, violations } from "./rules.ts"
import { importsOf, sources } from "./sources.ts"

const graph = sources()

/** The violations that one more import makes; the circles that it closes are left out. */
const planted = (from: string, to: string, type = false): ReadonlyArray<string> => {
  const known = new Set(violations(graph))
  const more = new Map(graph).set(from, [...(graph.get(from) ?? []), { to, type }])
  return violations(more).filter((violation) => !known.has(violation) && !violation.endsWith("a circle"))
}

/** Modules of services, of policies and of one stage's providers: they import what the rule leaves open. */
const others =
  "DeadLetter EmbeddingCache FileLock Ledger ParseCache Readers RequestGate Reranker RetryPolicy State Terms Tokenizer UndiciHttpClient Verification " +
  "service/Accounts service/Agent service/AgentClient service/AgentJobs service/Client service/Embedded service/Engine service/Server source/Archive source/AzureBlob source/Git source/GoogleDrive source/Http source/Imap source/MicrosoftGraph source/S3 source/Sftp source/Sql source/WebDav"

describe("imports of src and sinks", () => {
  it("keep the rule", () => assert.deepEqual(violations(graph), []))

  it("are all read: values, types, dynamic imports and workers' files, of files and of packages", () => {
    const text = [
      'import * as A from "./A.ts"',
      'import { type B, b } from "./B.ts"',
      'import {\n  type C,\n  type D\n} from "../C.ts"',
      'export type * from "./E.ts"',
      'const f = await import("./F.ts")',
      'const g = new URL("./G.ts", import.meta.url)',
      'type H = import("./H.ts").H',
      'import "./I.ts"',
      ' * await import("./Doc.ts")',
      'import fs from "node:fs"'
    ].join("\n")
    assert.deepEqual(
      importsOf(text).map(({ to, type }) => (type ? `type ${to}` : to)),
      ["./A.ts", "./B.ts", "type ../C.ts", "type ./E.ts", "node:fs", "./F.ts", "./G.ts", "./H.ts", "./I.ts"]
    )
    const missing = [...graph.values()].flat().filter(({ to }) => /^(?:src|sinks)\//u.test(to) && !graph.has(to))
    assert.deepEqual(missing, [])
  })

  it("are of modules and rooms that the rule names, each once", () => {
    const files = [...graph.keys()]
    const named = [...data, ...Object.values(stages).flat(), ...compositions, ...others.split(" ")]
    assert.strictEqual(new Set(named).size, named.length)
    const modules = files.flatMap((file) => /^src\/((?:service\/|source\/)?[^/]+)\.ts$/u.exec(file)?.[1] ?? [])
    const unnamed = modules.filter((name) => !named.includes(name))
    assert.deepEqual(unnamed, [], "give them a place in test/architecture")
    assert.deepEqual(
      files.filter((file) => /^(?:src|sinks)\/internal\/[^/]+$/u.test(file)),
      [],
      "files without a room"
    )
    const folders = new Set(files.flatMap((file) => /^src\/internal\/([^/]+)\//u.exec(file)?.[1] ?? []))
    assert.sameMembers([...folders], [...rooms])
  })

  it("break the rule from internal to Pipeline, types counted", () => {
    assert.deepEqual(planted("src/internal/state/lock.ts", "src/Pipeline.ts", true), [
      "src/internal/state/lock.ts -> src/Pipeline.ts: only what stands above imports it"
    ])
    assert.lengthOf(planted("src/internal/run/session.ts", "src/Async.ts"), 1)
    assert.lengthOf(planted("src/Pipeline.ts", "src/cli/Run.ts"), 1)
  })

  it("break the rule from stage to stage, and from a room to a stage that it does not serve", () => {
    assert.deepEqual(planted("src/Discovery.ts", "src/ChunkSink.ts"), [
      "src/Discovery.ts -> src/ChunkSink.ts: a stage imports no values of another stage"
    ])
    assert.deepEqual(planted("src/PageChunker.ts", "src/Embedder.ts", true), [])
    assert.deepEqual(planted("src/internal/client/request.ts", "src/Chunker.ts"), [
      "src/internal/client/request.ts -> src/Chunker.ts: a room imports values of the stage that it serves only"
    ])
  })

  it("break the rule from a room to one above it, and from data to a service", () => {
    assert.deepEqual(planted("src/internal/base/at.ts", "src/internal/state/lock.ts", true), [
      "src/internal/base/at.ts -> src/internal/state/lock.ts: a room imports only rooms below it"
    ])
    assert.deepEqual(planted("src/Outcome.ts", "src/State.ts", true), [
      "src/Outcome.ts -> src/State.ts: data leads to data only"
    ])
    assert.include(
      planted("src/SourceFile.ts", "src/internal/client/attempts.ts", true),
      "src/SourceFile.ts -> src/RequestGate.ts: data leads to data only"
    )
  })

  it("break the rule from src to a sink, from a sink into src, and from one engine of sinks to another", () => {
    assert.lengthOf(planted("src/ChunkSink.ts", "sinks/Jsonl.ts"), 1)
    assert.lengthOf(planted("src/ChunkSink.ts", "docsluice/Outcome"), 1)
    assert.lengthOf(planted("src/ChunkSink.ts", "node:fs"), 1)
    assert.lengthOf(planted("sinks/Jsonl.ts", "src/ChunkSink.ts"), 1)
    assert.lengthOf(planted("sinks/Jsonl.ts", "docsluice"), 1)
    assert.lengthOf(planted("sinks/internal/pg/Table.ts", "sinks/internal/jsonl/Lines.ts"), 1)
    for (const from of ["src/cli/Run.ts", "src/internal/target/address.ts"]) {
      assert.lengthOf(planted(from, "docsluice/sinks/Jsonl"), 0)
    }
    assert.lengthOf(planted("src/internal/run/session.ts", "docsluice/sinks/Jsonl"), 1)
    assert.lengthOf(planted("src/internal/target/address.ts", "docsluice/Outcome"), 1)
  })

  it("break the rule in a circle, types counted", () => {
    const files: Graph = new Map([
      ["src/internal/base/a.ts", [{ to: "src/internal/base/b.ts", type: false }]],
      ["src/internal/base/b.ts", [{ to: "src/internal/base/c.ts", type: true }]],
      ["src/internal/base/c.ts", [{ to: "src/internal/base/a.ts", type: false }]]
    ])
    const circle = ["a", "b", "c", "a"].map((name) => `src/internal/base/${name}.ts`).join(" -> ")
    assert.deepEqual(violations(files), [`${circle}: a circle`])
  })
})
