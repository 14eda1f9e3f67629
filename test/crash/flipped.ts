/**
 * Fills ledger, caches and a database target in the folder given, flips bits of their files, one at a time, and reads everything after each; says on
 * stdout, as JSON, what became of the calls. A flip that ends the process leaves nothing on stdout.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { PackedVector } from "docsluice/DocumentChunk"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Ledger from "docsluice/Ledger"
import { Foreign } from "docsluice/Outcome"
import * as ParseCache from "docsluice/ParseCache"
import * as LibSql from "docsluice/sinks/LibSql"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ofRun } from "../../src/internal/state/ledger/runLedger.ts"
import { a, expected, failure, generation, hash, key, request } from "../fixtures/ledger.ts"
import type { Open } from "../fixtures/ledger.ts"
import * as Answers from "../fixtures/parseCache.ts"
import { generation as chunks } from "../fixtures/sinkChunks.ts"

const [, , base = ""] = process.argv

interface Failing {
  readonly _tag: string
  readonly reason: string
}

const counts: Record<string, number> = {}

const nameOf = (cause: Cause.Cause<Failing>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => `defect ${Cause.pretty(cause)}`,
    onSome: ({ _tag, reason }) => `${_tag} ${reason}`
  })

const counted = <R>(effect: Effect.Effect<unknown, Failing, R>): Effect.Effect<void, never, R> =>
  Effect.map(Effect.exit(effect), (exit) => {
    const name = Exit.match(exit, { onSuccess: () => "read", onFailure: nameOf })
    counts[name] = (counts[name] ?? 0) + 1
  })

const fillLedger = (ledger: Open) =>
  Effect.gen(function* () {
    const { complete, scope } = yield* ledger.scan(request, expected)
    for (let index = 0; index < 12; index++) {
      const path = `näme-${index}.pdf`
      yield* ledger.announce(key(path), generation(path).chunkIds, [a.sink], scope)
      if (index % 3 === 0)
        yield* ledger.fail(key(path), failure({ error: new Foreign({ tag: "Fäiled", message: "it fäiled" }) }), scope)
      else yield* ledger.commit(generation(path, { scope, fingerprint: { _tag: "Etag", value: `"${index}"` } }))
    }
    yield* ledger.startRun(1, '{"request": true}')
    yield* complete(2)
  })

const readLedger = (ledger: Open) =>
  Effect.forEach(
    [
      ledger.preview(request, expected),
      Stream.runDrain(ledger.entries("all")),
      Stream.runDrain(ledger.entries("failed")),
      Stream.runDrain(ledger.removals([a.sink])),
      ledger.get(key("näme-1.pdf")),
      ledger.sameContent(hash("content of näme-1.pdf"), "o"),
      ledger.stats,
      ledger.lastRun,
      ledger.sinks
    ],
    (read) => counted<never>(read),
    { discard: true }
  )

const readAnswers = (cache: ParseCache.ParseCache.Service) =>
  Effect.forEach(
    [cache.get(Answers.request("a")), cache.createdAt(Answers.request("b")), cache.stats],
    (read) => counted<never>(read),
    { discard: true }
  )

const vectorKey = hash("vector")

interface Subject {
  readonly file: string
  /** Contents of its texts, so that a flipped bit hits them. */
  readonly text: string
  readonly fill: Effect.Effect<void, Failing, Scope.Scope>
  readonly read: ReadonlyArray<Effect.Effect<void, Failing, Scope.Scope>>
}

const ledger = join(base, "ledger")
const answers = join(base, "answers")
const vectors = join(base, "vectors")
const target = join(base, "target")

const sink = Effect.provide(LibSql.make({ file: join(target, "chunks.db") }), NodeContext.layer)

const readSink = Effect.flatMap(sink, ({ list, prepare, search }) =>
  Effect.zipRight(
    prepare(null),
    Effect.zipRight(
      counted(Stream.runDrain(list ?? Stream.empty)),
      counted(search?.({ text: "näme", limit: 5 }) ?? Effect.void)
    )
  )
)

const subjects: ReadonlyArray<Subject> = [
  {
    file: join(ledger, "ledger.db"),
    text: "näme-",
    fill: Effect.flatMap(Effect.map(Ledger.make({ directory: ledger }), ofRun), fillLedger),
    read: [Ledger.make({ directory: ledger }), Ledger.makeReadOnly({ directory: ledger })].map((open) =>
      Effect.flatMap(Effect.map(open, ofRun), readLedger)
    )
  },
  {
    file: join(answers, "index.db"),
    text: hash("a").slice(0, 16),
    fill: Effect.flatMap(ParseCache.make({ directory: answers }), (cache) =>
      Effect.zipRight(
        cache.put(Answers.request("a"), Answers.answer("a")),
        cache.put(Answers.request("b"), Answers.large("b"))
      )
    ),
    read: [ParseCache.make({ directory: answers }), ParseCache.makeReadOnly({ directory: answers })].map((open) =>
      Effect.flatMap(open, readAnswers)
    )
  },
  {
    file: join(vectors, "vectors.db"),
    text: "CREATE",
    fill: Effect.flatMap(EmbeddingCache.make({ directory: vectors }), (cache) =>
      cache.put([{ key: vectorKey, vector: new PackedVector([1, 2, 3]) }])
    ),
    read: [
      Effect.flatMap(EmbeddingCache.make({ directory: vectors }), (cache) =>
        Effect.zipRight(counted(cache.get([vectorKey])), counted(cache.stats))
      )
    ]
  },
  {
    file: join(target, "chunks.db"),
    text: "näme",
    fill: sink.pipe(
      Effect.flatMap(({ prepare }) => prepare(null)),
      Effect.flatMap(({ finish, write }) => Effect.zipRight(write(chunks("a.md", "näme", 4)), finish))
    ),
    read: [readSink]
  }
]

const placesOf = (bytes: Buffer, text: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at)
  return places
}

const some = (places: ReadonlyArray<number>): ReadonlyArray<number> =>
  places.filter((_, index) => index % Math.ceil(places.length / 12) === 0)

/**
 * Texts get a byte that is not UTF-8, definitions of columns too, and a sample of all bytes has its lowest bit flipped: then
 * blobs turn into texts.
 */
const flips = (bytes: Buffer, text: string): ReadonlyArray<readonly [at: number, mask: number]> => {
  const used = [...bytes.keys()].filter((at) => bytes[at] !== 0)
  return [
    ...some(placesOf(bytes, text)).map((at) => [at + 1, 0x80] as const),
    ...some(["INTEGER", "TEXT", "BLOB"].flatMap((type) => placesOf(bytes, type))).map((at) => [at + 1, 0x80] as const),
    ...some(used).map((at) => [at, 1] as const)
  ]
}

const program = Effect.forEach(
  subjects,
  ({ file, fill, read, text }) =>
    Effect.gen(function* () {
      yield* Effect.scoped(fill)
      const whole = readFileSync(file)
      for (const [at, mask] of flips(whole, text)) {
        const damaged = Buffer.from(whole)
        damaged[at] = (damaged[at] ?? 0) ^ mask
        for (const one of read) {
          for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${suffix}`, { force: true })
          writeFileSync(file, damaged)
          yield* counted(Effect.scoped(one))
        }
      }
    }),
  { discard: true }
)

for (const folder of [ledger, answers, vectors, target]) mkdirSync(folder, { recursive: true })
await Effect.runPromise(Effect.provide(program, Logger.remove(Logger.defaultLogger)))
writeSync(1, JSON.stringify(counts))
