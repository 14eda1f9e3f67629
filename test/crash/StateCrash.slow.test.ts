import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import { Chunk, Effect, Option, Random, Stream } from "effect"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import { bundled } from "../fixtures/bundled.ts"
import type { Open } from "../fixtures/ledger.ts"
import * as Script from "./script.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-crash-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const writer = new URL("writer.ts", import.meta.url)

interface Running {
  readonly child: ChildProcess
  readonly pid: number
  /** Ends when the writer has opened its state. */
  readonly opened: Promise<void>
  /** Ends when it has written something whole. */
  readonly wrote: Promise<void>
  /** All that it said, once it is dead. */
  readonly said: Promise<string>
}

const start = (kind: "ledger" | "cache", directory: string, first: number): Running => {
  const child = spawn(process.execPath, [bundled(writer), kind, directory, `${first}`], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let text = ""
  child.stdout.on("data", (part) => (text += String(part)))
  const reached = (word: string) =>
    new Promise<void>((resolve, reject) => {
      child.stdout.on("data", () => {
        if (text.includes(word)) resolve()
      })
      child.once("close", () => reject(new Error(`the writer ended before it said ${word}`)))
    })
  const said = new Promise<string>((resolve) => child.once("close", () => resolve(text)))
  const wrote = reached(kind === "ledger" ? "committed" : "kept")
  // It is killed before it in most rounds.
  wrote.catch(() => undefined)
  return { child, pid: child.pid ?? 0, opened: reached("open"), wrote, said }
}

interface Said {
  readonly word: string
  readonly document: number
  readonly step: number
}

const read = (text: string): ReadonlyArray<Said> =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" "))
    .map(([word = "", document, step]) => ({ word, document: Number(document), step: Number(step) }))

/** Kills with SIGKILL some random time after the writer has begun, or has written something; gives what it said. */
const killed = (kind: "ledger" | "cache", directory: string, first: number, after: "opened" | "wrote" = "opened") =>
  Effect.gen(function* () {
    const running = start(kind, directory, first)
    yield* Effect.promise(() => running[after])
    yield* Effect.sleep(yield* Random.nextIntBetween(5, 400))
    running.child.kill("SIGKILL")
    return read(yield* Effect.promise(() => running.said))
  })

const last = (said: ReadonlyArray<Said>, word: string, document: number): number =>
  Math.max(-1, ...said.filter((one) => one.word === word && one.document === document).map(({ step }) => step))

const checkDocument = (ledger: Open, said: ReadonlyArray<Said>, document: number) =>
  Effect.gen(function* () {
    const entry = Option.getOrNull(yield* ledger.get(Script.commit(document, 0)))
    const committed = last(said, "committed", document)
    const announced = last(said, "announced", document)
    const present = entry?.stored?.size ?? -1
    assert.isAtLeast(present, committed)
    assert.isAtMost(present, last(said, "announcing", document))
    if (present >= 0) {
      const { documentId, path, scope: _, ...generation } = Script.commit(document, present)
      assert.deepStrictEqual(entry?.stored, generation)
      assert.deepStrictEqual([entry?.documentId, entry?.path], [documentId, path])
    }
    const holding = Option.getOrNull(yield* ledger.holding(Script.commit(document, 0)))
    const held = new Set(holding?.held.flatMap(({ chunkIds }) => chunkIds))
    for (const id of announced < 0 ? [] : Script.chunkIds(document, announced)) {
      assert.isTrue(held.has(id), "an id that a sink may hold is known")
    }
  })

const checkLedger = (directory: string, said: ReadonlyArray<Said>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.make({ directory }))
      yield* Effect.forEach(Script.documents, (document) => checkDocument(ledger, said, document), { discard: true })
      const due = Chunk.toReadonlyArray(yield* Stream.runCollect(ledger.removals([Script.sink.sink])))
      for (const removal of due) {
        const entry = Option.getOrNull(yield* ledger.get(removal))
        assert.isFalse(removal.chunkIds.some((id) => entry?.stored?.chunkIds.includes(id) ?? false))
      }
    })
  )

it.scopedLive("has every entry that was committed, whole, after the process was killed at any moment", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const said: Array<Said> = []
    for (let round = 0; round < 3; round++) {
      said.push(...(yield* killed("ledger", directory, round * 5, round === 0 ? "opened" : "wrote")))
      yield* checkLedger(directory, said)
    }
    assert.isAbove(said.filter(({ word }) => word === "committed").length, 0)
  })
)

it.scopedLive("has every answer that was kept, whole, after the process was killed at any moment", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    for (let round = 0; round < 3; round++) {
      const said = yield* killed("cache", directory, round, round === 0 ? "opened" : "wrote")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const cache = yield* ParseCache.make({ directory: join(directory, "cache") })
          for (const { document } of said.filter(({ word }) => word === "kept")) {
            assert.deepStrictEqual(
              Option.getOrNull(yield* cache.get(Script.key(document))),
              Script.answer(document),
              `answer ${document}`
            )
          }
        })
      )
    }
  })
)

it.scopedLive("gives a second process the first one's id, and the directory once the first was killed", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const running = start("ledger", directory, 0)
    yield* Effect.promise(() => running.opened)
    const error = yield* Effect.flip(Effect.scoped(Ledger.make({ directory })))
    assert.deepInclude(error, { reason: "Locked", pid: running.pid })
    running.child.kill("SIGKILL")
    yield* Effect.promise(() => running.said)
    yield* Effect.scoped(Ledger.make({ directory }))
  })
)
