import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as ParseCache from "docsluice/ParseCache"
import type { ParseData } from "docsluice/ParsedDocument"
import type { Answer } from "docsluice/service/Client"
import { Effect, Logger, LogLevel, Option } from "effect"
import * as Libsql from "../src/internal/state/libsql.ts"
import { scratch, hash, request, noise, answer, large, counted, reopened } from "./fixtures/parseCache.ts"

const odd: ParseData = {
  markdown: "a\u0000b\uD800c\n\u2028 𝒳",
  metadata: Object.fromEntries([
    ["__proto__", "member"],
    ["list", ["", "x"]]
  ]),
  pages: [],
  blocks: null,
  links: ["x", "y\n"],
  json: { deep: [[1.5e300, -0.25], null] },
  answer: [null, false, "", [[]], { "": [1] }],
  html: ""
}

it.scoped("returns every kind of member unchanged, small ones from the database and large ones from a file", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const blank: Answer = { contentHash: hash("odd"), data: odd }
    const big: Answer = { contentHash: hash("big"), data: { ...odd, ...large("big").data, html: noise(200_000, 3) } }
    yield* reopened(directory, (cache) =>
      Effect.zipRight(cache.put(request("odd"), blank), cache.put(request("big"), big))
    )
    assert.strictEqual(readdirSync(join(directory, "answers")).length, 1)
    const [small, file] = yield* reopened(directory, (cache) =>
      Effect.all([cache.get(request("odd")), cache.get(request("big"))])
    )
    assert.deepStrictEqual(Option.getOrNull(small), blank)
    assert.deepStrictEqual(Option.getOrNull(file), big)
    assert.deepStrictEqual(Object.keys(Option.getOrNull(small)?.data.metadata ?? {}), ["__proto__", "list"])
  })
)

const damageFile = (directory: string, damage: (bytes: Buffer) => Buffer): void => {
  const folder = join(directory, "answers")
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), damage(readFileSync(join(folder, name))))
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x10
  return copy
}

it.scoped("treats a damaged file as a miss, and never returns another answer", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const original = large("a")
    const damages: ReadonlyArray<(bytes: Buffer) => Buffer> = [
      (bytes) => bytes.subarray(0, bytes.length - 1),
      (bytes) => bytes.subarray(0, bytes.length >> 1),
      () => Buffer.alloc(0),
      () => Buffer.from("not gzip at all"),
      ...Array.from({ length: 12 }, (_, step) => (bytes: Buffer) => flipped(bytes, 20 + step * 1000)),
      (bytes) => flipped(bytes, bytes.length - 6)
    ]
    for (const damage of damages) {
      yield* reopened(directory, (cache) => cache.put(request("a"), original))
      damageFile(directory, damage)
      yield* reopened(directory, (cache) =>
        Effect.gen(function* () {
          const { count, parse } = yield* counted(original)
          assert.isTrue(Option.isNone(yield* cache.get(request("a"))))
          assert.deepStrictEqual(yield* cache.getOrParse(request("a"), parse), { answer: original, origin: "service" })
          assert.strictEqual(yield* count, 1)
          assert.strictEqual((yield* cache.getOrParse(request("a"), parse)).origin, "cache")
        })
      )
    }
    rmSync(join(directory, "answers"), { recursive: true })
    assert.isTrue(Option.isNone(yield* reopened(directory, (cache) => cache.get(request("a")))))
  })
)

it.scoped("treats a damaged row, and the row of another key, as a miss", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (cache) =>
      Effect.all([cache.put(request("a"), answer("a")), cache.put(request("b"), answer("b"))])
    )
    const db = Libsql.open(join(directory, "index.db"))
    const rows = db.sql("SELECT entry, packed FROM body ORDER BY entry").all()
    const first = rows[0] ?? []
    const second = rows[1] ?? []
    db.sql("UPDATE body SET packed = ? WHERE entry = ?").run(Libsql.bytes(second, 1), Libsql.integer(first, 0))
    db.sql("UPDATE body SET packed = ? WHERE entry = ?").run(
      flipped(Buffer.from(Libsql.bytes(second, 1)), 30),
      Libsql.integer(second, 0)
    )
    Libsql.close(db)
    const found = yield* reopened(directory, (cache) => Effect.all([cache.get(request("a")), cache.get(request("b"))]))
    assert.isTrue(found.every(Option.isNone))
  })
)

it.scoped("starts empty when the index is damaged, and warns", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const logged: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      logged.push(`${logLevel.label} ${String(message)}`)
    })
    yield* reopened(directory, (cache) => cache.put(request("a"), large("a")))
    writeFileSync(join(directory, "index.db"), Buffer.alloc(8192, 1))
    yield* reopened(directory, (cache) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* cache.stats).entries, 0)
        assert.strictEqual((yield* cache.getOrParse(request("a"), Effect.succeed(answer("a")))).origin, "service")
        assert.isTrue(Option.isSome(yield* cache.get(request("a"))))
      })
    ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    assert.deepStrictEqual(logged, ["WARN the parse cache was damaged and begins again, empty"])
    assert.deepStrictEqual(readdirSync(directory).includes("answers"), false)
  })
)

it.scoped("starts empty in the next session when damage was found in use, and parses without a cache until then", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (cache) =>
      Effect.forEach(
        Array.from({ length: 400 }, (_, index) => `${index}`),
        (seed) => cache.put(request(seed), answer(seed)),
        { concurrency: 16, discard: true }
      )
    )
    const file = join(directory, "index.db")
    const db = Libsql.open(file)
    const page = Libsql.integer(db.sql("SELECT rootpage FROM sqlite_master WHERE name = 'body'").first() ?? [], 0)
    Libsql.close(db)
    const bytes = readFileSync(file).fill(0xee, (page - 1) * 4096, (page - 1) * 4096 + 64)
    writeFileSync(file, bytes)
    yield* reopened(directory, (cache) =>
      Effect.forEach(
        Array.from({ length: 400 }, (_, index) => `${index}`),
        (seed) =>
          Effect.map(cache.getOrParse(request(seed), Effect.succeed(answer(seed))), (result) =>
            assert.deepStrictEqual(result.answer, answer(seed))
          ),
        { discard: true }
      )
    )
    yield* reopened(directory, (cache) =>
      Effect.gen(function* () {
        yield* cache.put(request("1"), answer("1"))
        assert.isTrue(Option.isSome(yield* cache.get(request("1"))))
        assert.strictEqual((yield* cache.stats).entries, 1)
      })
    )
  }).pipe(Effect.provide(Logger.minimumLogLevel(LogLevel.None)))
)

it.scoped("evicts the least recently used entries, also in a later session", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const put = (cache: ParseCache.ParseCache.Service, seed: string) =>
      cache.put(request(seed), answer(seed, { markdown: noise(20_000, seed.charCodeAt(0)) }))
    const held = (cache: ParseCache.ParseCache.Service) =>
      Effect.map(
        Effect.filter(["a", "b", "c", "d"], (seed) => Effect.map(cache.createdAt(request(seed)), Option.isSome)),
        (seeds) => seeds.join("")
      )
    const room = 60_000
    yield* reopened(
      directory,
      (cache) =>
        Effect.gen(function* () {
          yield* Effect.forEach(["a", "b", "c"], (seed) => put(cache, seed))
          yield* cache.get(request("a"))
        }),
      room
    )
    yield* reopened(
      directory,
      (cache) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* held(cache), "abc")
          yield* put(cache, "d")
          assert.strictEqual(yield* held(cache), "acd")
          assert.isAtMost((yield* cache.stats).bytes, room)
          yield* cache.trim(40_000)
          assert.strictEqual(yield* held(cache), "ad")
          yield* cache.put(request("e"), large("e"))
          assert.isTrue(Option.isNone(yield* cache.get(request("e"))))
          assert.strictEqual(yield* held(cache), "ad")
        }),
      room
    )
  })
)

it.scoped("deletes the files of evicted, replaced and cleared entries", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const files = () => readdirSync(join(directory, "answers"))
    yield* reopened(directory, (cache) =>
      Effect.gen(function* () {
        yield* cache.put(request("a"), large("a"))
        yield* cache.put(request("a"), large("a"))
        assert.strictEqual(files().length, 1)
        yield* cache.put(request("b"), large("b"))
        yield* cache.remove(request("b"))
        assert.strictEqual(files().length, 1)
        yield* cache.put(request("a"), answer("a"))
        assert.strictEqual(files().length, 0)
        yield* cache.put(request("c"), large("c"))
        yield* cache.clear
        assert.strictEqual(files().length, 0)
        assert.deepInclude(yield* cache.stats, { entries: 0, bytes: 0, oldest: null, newest: null })
      })
    )
    assert.isAtMost(statSync(join(directory, "index.db")).size, 64_000)
  })
)

it.scoped("deletes files that no entry names when it is opened", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (cache) => cache.put(request("a"), large("a")))
    writeFileSync(join(directory, "answers", "9-1.gz"), "left by a kill")
    yield* reopened(directory, (cache) =>
      Effect.map(cache.get(request("a")), (found) => assert.isTrue(Option.isSome(found)))
    )
    assert.strictEqual(readdirSync(join(directory, "answers")).length, 1)
  })
)

it.scoped("refuses a directory that another holder has, and one that cannot be made", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* ParseCache.make({ directory })
    const locked = yield* Effect.flip(reopened(directory, () => Effect.void))
    assert.deepInclude(locked, { reason: "Locked", pid: process.pid })
    const file = join(directory, "file")
    writeFileSync(file, "")
    const error = yield* Effect.flip(reopened(join(file, "cache"), () => Effect.void))
    assert.strictEqual(error.reason, "Io")
  })
)

it.scoped("warns and returns the answer when it cannot cache it", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (cache) =>
      Effect.gen(function* () {
        // A file in place of the folder simulates a full disk.
        rmSync(join(directory, "answers"), { recursive: true, force: true })
        writeFileSync(join(directory, "answers"), "in the way")
        const result = yield* cache.getOrParse(request("a"), Effect.succeed(large("a")))
        assert.strictEqual(result.origin, "service")
        assert.strictEqual((yield* Effect.flip(cache.put(request("a"), large("a"))))._tag, "ParseCacheError")
        truncateSync(join(directory, "answers"), 0)
      })
    )
  })
)
