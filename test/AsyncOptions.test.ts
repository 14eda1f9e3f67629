/** Options of programs without types, or of a decoded file: each wrong one is refused by name, before anything is created. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import { OptionError } from "docsluice/Corpus"
import { Effect } from "effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const made = mkdtempSync(join(tmpdir(), "docsluice-options-"))
    mkdirSync(join(made, "docs"))
    writeFileSync(join(made, "docs", "a.md"), "# Gauges\n\nCalibrated in spring.")
    return made
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const refusal = (ask: () => Promise<unknown>) =>
  Effect.flip(Effect.tryPromise({ try: ask, catch: (error) => (error instanceof OptionError ? error : String(error)) }))

/** As nothing but a program without types can give them. */
const untyped = (text: string) => JSON.parse(text)

const wrong: ReadonlyArray<readonly [members: string, option: string, problem: string]> = [
  ['{ "chunkr": "auto" }', "chunkr", "there is no such option; did you mean chunker?"],
  ['{ "root": ["a", "b"] }', "root", "expected a string, got an array"],
  ['{ "patterns": "a.md" }', "patterns", 'expected an array of strings, got "a.md"'],
  ['{ "ignore": [1] }', "ignore[0]", "is 1; expected a string"],
  ['{ "maxBytes": "1 MB" }', "maxBytes", 'expected a number of at least 0, got "1 MB"'],
  ['{ "concurrency": 0 }', "concurrency", "expected a whole number of at least 1, got 0"],
  ['{ "concurrency": "many" }', "concurrency", 'expected "adaptive", got "many"'],
  ['{ "lookAhead": "x" }', "lookAhead", 'expected a whole number of at least 1, got "x"'],
  ['{ "outageLimit": "soon" }', "outageLimit", 'expected milliseconds or a duration such as 5 minutes, got "soon"'],
  ['{ "maxBytesInFlight": 0.5 }', "maxBytesInFlight", "expected a whole number of at least 1, got 0.5"],
  ['{ "sinkRetry": { "attempts": 0 } }', "sinkRetry.attempts", "is 0; expected a whole number of at least 1"],
  ['{ "state": { "mode": "sync" } }', "state.directory", "is missing; expected a state with directory"],
  ['{ "sinks": "jsonl:x" }', "sinks", 'expected an array of targets, got "jsonl:x"'],
  ['{ "sinks": null }', "sinks", "expected an array of targets, got null"],
  ['{ "embedder": 3 }', "embedder", "expected the spelling of an embedder, or one of the program, got 3"],
  ['{ "apiKey": 12345 }', "apiKey", "expected a string"],
  ['{ "tokenizer": "gpt" }', "tokenizer", 'expected one of o200k_base, cl100k_base, chars, got "gpt"'],
  ['{ "onProgress": 3 }', "onProgress", "expected a function, got 3"],
  ['{ "stop": 3 }', "stop", "expected an AbortSignal, got 3"],
  ['{ "readers": "md" }', "readers", 'expected an array of readers, got "md"'],
  ['{ "files": [], "name": "n" }', "root", 'expected no root next to files, which have a name, got "docs"']
]

describe("Async.ingest", () => {
  it.scopedLive.each(wrong)("refuses %s", ([members, option, problem]) =>
    Effect.gen(function* () {
      const made = yield* folder
      const sinks = [`jsonl:${join(made, "out.jsonl")}`]
      const root = members.includes("files") ? "docs" : join(made, "docs")
      const error = yield* refusal(() => Async.ingest({ root, sinks, ...untyped(members) }))
      assert.deepInclude(error, { option, problem })
      assert.deepStrictEqual(readdirSync(made), ["docs"])
    })
  )

  it.scopedLive("refuses a signal that is none before it starts, so that nothing runs on", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const options = { root: join(made, "docs"), sinks: [`jsonl:${join(made, "out.jsonl")}` as const] }
      const error = yield* refusal(() => Async.ingest({ ...options, ...untyped('{ "signal": 3 }') }))
      assert.include(String(error), "signal: expected an AbortSignal")
      const { stored } = yield* Effect.promise(() => Async.ingest(options))
      assert.strictEqual(stored, 1)
    })
  )
})

describe("a handle", () => {
  const calls: ReadonlyArray<readonly [string, (docs: Async.AsyncCorpus) => Promise<unknown>, string]> = [
    ["ingest", (docs) => docs.ingest("docs", untyped('{ "mdoe": "sync" }')), "mdoe"],
    ["ingest", (docs) => docs.ingest(untyped("5")), "source"],
    ["ingest", (docs) => docs.ingest(untyped("{}")), "root"],
    ["ingest", (docs) => docs.ingest(untyped('{ "files": [] }')), "name"],
    ["ingest", (docs) => docs.ingest(untyped('{ "files": [], "name": "n", "partail": true }')), "partail"],
    ["ingest", (docs) => docs.ingest("docs", untyped('{ "budget": { "pages": "x" } }')), "budget.pages"],
    ["search", (docs) => docs.search("gauge", untyped('{ "limti": 3 }')), "limti"],
    ["search", (docs) => docs.search(untyped("5")), "query"],
    ["retry", (docs) => docs.retry(untyped('{ "empyt": true }')), "empyt"],
    ["parse", (docs) => docs.parse("a.md", untyped('{ "parseOption": {} }')), "parseOption"],
    ["extract", (docs) => docs.extract("a.md", {}, untyped('{ "promt": "x" }')), "promt"]
  ]

  it.scopedLive.each(calls)("refuses a wrong option of %s", ([, call, option]) =>
    Effect.gen(function* () {
      const made = yield* folder
      const docs = yield* Effect.acquireRelease(
        Effect.promise(() => Async.open({ to: `libsql:${join(made, "store.db")}` })),
        (open) => Effect.promise(() => open.close())
      )
      assert.deepInclude(yield* refusal(() => call(docs)), { option })
      assert.deepStrictEqual(readdirSync(made), ["docs"])
    })
  )

  it.effect("is refused without a target", () =>
    Effect.map(
      refusal(() => Async.open(untyped("{}"))),
      (error) => assert.deepInclude(error, { option: "to" })
    )
  )
})

describe("Async.parse", () => {
  it.effect("refuses a misspelt service instead of parsing without it", () =>
    Effect.map(
      refusal(() => Async.parse("a.md", untyped('{ "servce": "http://127.0.0.1:1" }'))),
      (error) => assert.deepInclude(error, { option: "servce" })
    )
  )
})
