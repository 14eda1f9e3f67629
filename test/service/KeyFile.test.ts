import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { Effect, Either, Redacted } from "effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-keys-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

const hashed = Effect.runSync(Accounts.hashKey(Redacted.make("a key")))

const parse = (content: unknown) => Accounts.parseKeyFile("keys.json", JSON.stringify(content))

describe("KeyFile", () => {
  it("reads every member of a key", () => {
    const full = {
      name: "search",
      hash: hashed,
      permissions: ["parse", "agent", "summary", "json", "redactPII"],
      rate: "10/s",
      concurrency: 2,
      credits: 0,
      zeroDataRetention: "required"
    }
    const read = Either.getOrThrow(parse({ version: 1, audit: "a.jsonl", keys: [full, { name: "b", hash: hashed }] }))
    assert.strictEqual(read.audit, "a.jsonl")
    assert.deepStrictEqual(read.keys[0]?.rate, { requests: 10, per: 1000 })
    assert.deepStrictEqual(read.keys[1], new Accounts.ApiKey({ name: "b", hash: hashed }))
  })

  it("names file, entry, field and remedy of a fault, and repeats neither keys nor hashes", () => {
    const entry = (members: object) => ({
      version: 1,
      keys: [
        { name: "a", hash: hashed },
        { name: "b", hash: hashed, ...members }
      ]
    })
    const faults: ReadonlyArray<readonly [unknown, string | undefined, string | undefined, RegExp]> = [
      [[], undefined, undefined, /not an object with version and keys/],
      [{ version: 2, keys: [] }, undefined, "version", /version is 2; expected 1/],
      [{ keys: [] }, undefined, "version", /version is missing/],
      [{ version: 1 }, undefined, "keys", /keys is missing/],
      [{ version: 1, keys: [], kays: [] }, undefined, "kays", /one of version, keys, audit/],
      [entry({ hash: "dsk-secret" }), "keys[1] (b)", "keys[1].hash", /serve keys add/],
      [entry({ key: "dsk-secret" }), "keys[1] (b)", "keys[1].key", /is not an option/],
      [entry({ name: "b c" }), "keys[1]", "keys[1].name", /letters, digits/],
      [entry({ name: "a" }), "keys[1] (a)", "keys[1].name", /rename/],
      [entry({ rate: "10 a minute" }), "keys[1] (b)", "keys[1].rate", /such as 10\/s or 600\/min/],
      [entry({ rate: "0/s" }), "keys[1] (b)", "keys[1].rate", /such as 10\/s/],
      [entry({ concurrency: 0 }), "keys[1] (b)", "keys[1].concurrency", /an integer from 1/],
      [entry({ credits: -1 }), "keys[1] (b)", "keys[1].credits", /an integer from 0/],
      [entry({ permissions: ["parse", "fly"] }), "keys[1] (b)", "keys[1].permissions[1]", /one of parse, agent/],
      [entry({ zeroDataRetention: true }), "keys[1] (b)", "keys[1].zeroDataRetention", /one of allowed/]
    ]
    for (const [content, at, field, problem] of faults) {
      const error = Either.getOrThrow(Either.flip(parse(content)))
      assert.deepStrictEqual([error.file, error.entry, error.field], ["keys.json", at, field])
      assert.match(error.message, problem)
      assert.notMatch(error.message, /secret|sha256:/)
    }
    const broken = Either.getOrThrow(Either.flip(Accounts.parseKeyFile("keys.json", '{"hash": secret')))
    assert.match(broken.message, /^keys\.json: the file is not valid JSON/)
    assert.notInclude(broken.message, "secret")
  })

  it.scopedLive("adds keys to a file of its owner's alone, through a link too, and leaves nothing else", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const [file, link] = [join(place, "keys.json"), join(place, "link.json")]
      const { hash, key } = yield* Accounts.generateKey
      assert.match(Redacted.value(key), /^dsk-[\w-]{43}$/)
      const first = new Accounts.ApiKey({ name: "a", hash, rate: { requests: 600, per: 60_000 } })
      yield* Accounts.addKey(file, first)
      symlinkSync(file, link)
      yield* Accounts.addKey(link, new Accounts.ApiKey({ name: "b", hash }))
      assert.deepStrictEqual(readdirSync(place).toSorted(), ["keys.json", "link.json"])
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const { keys } = yield* Accounts.readKeyFile(link)
      assert.deepStrictEqual(keys, [first, new Accounts.ApiKey({ name: "b", hash })])
      assert.notInclude(readFileSync(file, "utf8"), Redacted.value(key))
      const before = readFileSync(file, "utf8")
      const taken = yield* Effect.flip(Accounts.addKey(file, first))
      assert.match(taken.message, /keys\.json: a: there is a key of this name/)
      assert.strictEqual(readFileSync(file, "utf8"), before)
      writeFileSync(file, "[]")
      yield* Effect.flip(Accounts.addKey(file, first))
      assert.strictEqual(readFileSync(file, "utf8"), "[]")
      const nowhere = yield* Effect.flip(Accounts.addKey(join(place, "no/keys.json"), first))
      assert.include(nowhere.message, "keys.json")
      const missing = yield* Effect.flip(Accounts.readKeyFile(join(place, "none.json")))
      assert.match(missing.message, /cannot be read \(NotFound\)/)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
