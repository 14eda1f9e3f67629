import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "../../sinks/internal/shared/OptionalPackage.ts"

const fixture = fileURLToPath(new URL("../fixtures/withoutPackages.ts", import.meta.url))

describe("a sink without its package", () => {
  it.scopedLive("names the command that installs it", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const parameters = ["--conditions=docsluice:source", "--import=tsx", fixture, folder]
      const { stdout } = yield* Effect.promise(() => promisify(execFile)(process.execPath, parameters))
      assert.deepEqual(stdout.split("\n"), [
        "Unsupported it needs a package that is not installed here; run: npm install chromadb@3.5.0",
        "Unsupported it needs packages that are not installed here; run: npm install @lancedb/lancedb@0.37.1 apache-arrow@18.1.0",
        ""
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("says what a package said that is there and does not load", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        load("some:sink", ["engine@1.0.0"], () => Promise.reject(new Error("GLIBC_9 not found")))
      )
      assert.strictEqual(error.reason, "Unsupported")
      assert.strictEqual(error.message, "some:sink: engine@1.0.0 cannot be loaded: GLIBC_9 not found")
    })
  )
})
