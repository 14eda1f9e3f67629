/** On the disk given: fills ledger and caches, then the disk, closes them, and says on stdout how that ended, as JSON. */
import { existsSync, rmSync, statfsSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { PackedVector } from "docsluice/DocumentChunk"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import { generation, hash } from "../fixtures/ledger.ts"
import * as Answers from "../fixtures/parseCache.ts"

const [, , disk = ""] = process.argv
const ballast = join(disk, "ballast")
const directory = join(disk, "state")

const fill = Effect.sync(() => {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize))
})

const indexes = Array.from({ length: 200 }, (_, index) => index)

const session = Effect.gen(function* () {
  const ledger = ofRun(yield* Ledger.make({ directory }))
  const answers = yield* ParseCache.make({ directory: join(directory, "cache") })
  const vectors = yield* EmbeddingCache.make({ directory: join(directory, "embeddings") })
  for (const index of indexes) {
    yield* ledger.commit(generation(`${index}.pdf`))
    yield* answers.put(Answers.request(`${index}`), Answers.answer(`${index}`, { markdown: Answers.noise(500, index) }))
    yield* vectors.put([{ key: hash(`${index}`), vector: new PackedVector(Array.from({ length: 100 }, () => index)) }])
  }
  yield* fill
})

const counted = Effect.gen(function* () {
  const ledger = ofRun(yield* Ledger.make({ directory }))
  const answers = yield* ParseCache.make({ directory: join(directory, "cache") })
  const vectors = yield* EmbeddingCache.make({ directory: join(directory, "embeddings") })
  return [(yield* ledger.stats).documents, (yield* answers.stats).entries, (yield* vectors.stats).entries]
})

const warnings: Array<string> = []
const logger = Logger.make(({ message }) => void warnings.push(String(message)))

const program = Effect.gen(function* () {
  const closed = yield* Effect.exit(Effect.scoped(session))
  const wasFull = existsSync(ballast)
  const looked = yield* Effect.exit(
    Effect.scoped(Effect.flatMap(Ledger.makeReadOnly({ directory }), ({ stats }) => stats))
  )
  rmSync(ballast)
  return {
    wasFull,
    closed: Exit.isSuccess(closed) ? "well" : Cause.pretty(closed.cause),
    looked: Exit.isSuccess(looked) ? looked.value.documents : Cause.pretty(looked.cause),
    counts: yield* Effect.scoped(counted)
  }
})

const said = await Effect.runPromise(Effect.provide(program, Logger.replace(Logger.defaultLogger, logger)))
writeSync(1, JSON.stringify({ ...said, warnings }))
