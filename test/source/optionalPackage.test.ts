import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OptionalPackage from "../../src/internal/objects/optionalPackage.ts"

describe("a package that a source needs", () => {
  it.effect("is named with the line that installs it where it is missing", () =>
    Effect.gen(function* () {
      const missing = "docsluice-needs-no-such-package"
      const load = OptionalPackage.load("sftp://host/folder", missing, () => import(missing))
      const error = yield* Effect.flip(load)
      assert.strictEqual(error.reason, "Invalid")
      assert.include(
        error.message,
        `sftp://host/folder: it needs a package that is not installed here; run: npm install ${missing}`
      )
    })
  )
})
