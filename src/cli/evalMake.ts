/** `docsluice eval make`: questions about documents, written by a language model. */
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { counted } from "../internal/base/figures.ts"
import * as Matrix from "../internal/evaluation/matrix.ts"
import * as Questions from "../internal/evaluation/question.ts"
import * as Writing from "../internal/evaluation/writing.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import { type Given, reading, sourceOf } from "./EvalFlags.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as ModelTarget from "./ModelTarget.ts"
import * as SearchedStore from "./SearchedStore.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** The chunks of a store. */
const contents = (to: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const target = yield* SearchedStore.read(to)
    const { sink } = yield* StoreSearch.open(target)
    return sink.contents ?? (yield* new UsageError({ problem: `--to ${target.shown} cannot be read; name documents` }))
  })

/** A temporary store that holds the documents; those that fail are left out, with a note. */
const stored = (given: Given, documents: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const fs = yield* FileSystem.FileSystem
    const to = `libsql:${join(yield* fs.makeTempDirectoryScoped({ prefix: "docsluice-eval-" }), "passages.db")}`
    const [kind = "auto"] = given.chunker
    const chunker = { kind, maxTokens: given.maxTokens[0], overlap: Option.getOrUndefined(given.overlap) }
    const ingested = Effect.gen(function* () {
      const corpus = yield* Matrix.corpus({ ...(yield* reading(given)), to: [to], chunker, embedder: "none" })
      return yield* corpus.ingest(sourceOf(given, documents))
    })
    const { failed } = yield* Effect.scoped(ingested)
    if (failed > 0) yield* terminal.note(`${counted(failed, "document")} failed and left out`)
    return to
  })

/** Prints questions about documents, or about what a store holds. */
export const make = (given: Given, documents: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const spelling = yield* Effect.mapError(
      given.model,
      () => new UsageError({ problem: "name the model that writes the questions: --model openai:MODEL[@BASE]" })
    )
    const model = yield* ModelTarget.read(spelling, { contextTokens: undefined, environment: process.env })
    const chunks = yield* contents(documents.length === 0 ? given.to : [yield* stored(given, documents)])
    const bounds = { count: given.count, maxTokens: given.modelTokens, seed: given.seed }
    const written = yield* Effect.provide(Writing.write(chunks, bounds), model.layer)
    for (const question of written.questions) yield* terminal.result(Questions.toLine(question))
    const dropped = `${counted(written.dropped, "answer")} dropped, ${counted(written.tokens, "token")}`
    yield* terminal.note(`wrote ${counted(written.questions.length, "question")}; ${dropped}`)
    if (written.stopped) yield* terminal.note("the tokens of --model-tokens are used up")
    yield* ExitStatus.set(written.questions.length === 0 ? 1 : 0)
  })
