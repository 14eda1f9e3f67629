import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Effect, Option } from "effect"
import { sha256 } from "../../../../src/internal/base/sha256.ts"
import * as StateDirectory from "../../../../src/internal/state/directory.ts"
import { migrations } from "../../../../src/internal/state/embedded/schema.ts"
import * as Sightings from "../../../../src/internal/state/ledger/sighting.ts"
import * as Libsql from "../../../../src/internal/state/libsql.ts"
import { key, scratch } from "../../../fixtures/ledger.ts"

it.scoped("reads runs and failures of the first schema, and a failure of it is final when it is not retryable", () =>
  Effect.gen(function* () {
    const directory = join(yield* scratch, "state")
    mkdirSync(directory)
    const db = Libsql.open(join(directory, "ledger.db"))
    StateDirectory.migrate(db, migrations.slice(0, 1))
    for (const text of ["", "told", "told", "told again"]) {
      db.sql("INSERT INTO run (started, request) VALUES (1, ?)").run(text)
    }
    db.sql("INSERT INTO root (id, name) VALUES (1, 'docs')").run()
    for (const [id, retryable] of [
      [1, true],
      [2, false]
    ] as const) {
      const body = { tag: "T", message: "m", retryable, contentHash: null, optionsHash: "o", identity: "i" }
      db.sql("INSERT INTO document (id, root, path, failed) VALUES (?, 1, ?, 1)").run(id, `${id}.pdf`)
      db.sql("INSERT INTO failure (document, print, etag, body) VALUES (?, ?, '', ?)").run(
        id,
        Sightings.pack({ size: 1, fingerprint: undefined, checkedAt: 1 }),
        JSON.stringify({ ...body, attempts: 1, at: 2 })
      )
    }
    db.close()
    const ledger = yield* Ledger.make({ directory })
    assert.deepInclude(Option.getOrNull(yield* ledger.lastRun), { request: "told again" })
    assert.deepStrictEqual(
      yield* ledger.requests,
      ["told again", "told"].map((text) => ({ digest: sha256(text), text }))
    )
    for (const [path, final] of [
      ["1.pdf", false],
      ["2.pdf", true]
    ] as const) {
      const entry = Option.getOrNull(yield* ledger.get(key(path)))
      assert.deepInclude(entry?.failure, { final, retryable: !final, targets: [], request: null })
    }
  })
)
