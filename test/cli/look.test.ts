import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { request } from "../service/serverFixture.ts"
import { runHere, start } from "./run.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "docsluice-look-"))
    writeFileSync(join(path, "a.html"), "<h1>Gauges</h1><p>Calibrated in May.")
    writeFileSync(join(path, "README.md"), "# Gauges\n\nCalibrated in May.\n")
    writeFileSync(join(path, "empty.pdf"), "")
    writeFileSync(join(path, "a.exe"), "MZ")
    writeFileSync(join(path, "a.zip"), "PK")
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const Listening = Schema.parseJson(Schema.Struct({ address: Schema.String }))
const Documents = Schema.Struct({ documents: Schema.Array(Schema.Struct({ name: Schema.String })) })

const started = (cwd: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => start(cwd, args, { PATH: "" })),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

const addressOf = (server: ReturnType<typeof start>) =>
  Effect.promise(async () => {
    while (!server.stdout().includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20))
    return Schema.decodeSync(Listening)(server.stdout()).address
  })

describe("docsluice look", () => {
  it.scopedLive(
    "prints its address once it holds the files, says when nothing can open it, and ends when interrupted",
    () =>
      Effect.gen(function* () {
        const server = yield* started(yield* folder, ["look", "a.html", "README.md", "--open", "--json"])
        const address = yield* addressOf(server)
        assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/)
        const { body } = yield* request(`${address}_look/settings`)
        assert.deepEqual(Schema.decodeUnknownSync(Documents)(body).documents, [
          { name: "a.html" },
          { name: "README.md" }
        ])
        assert.include([200, 503], (yield* request(address)).status)
        while (!server.stderr().includes("OpenerMissing")) yield* Effect.sleep("20 millis")
        assert.include(server.stderr(), `open ${address} yourself`)
        server.child.kill("SIGINT")
        assert.strictEqual((yield* Effect.promise(() => server.ended)).status, 130)
      })
  )

  it.scopedLive("refuses files that it cannot show, and addresses that others reach, before it listens", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const cases = [
        [["look", join(path, "missing.pdf")], 1, "FileUnreadable"],
        [["look", join(path, "empty.pdf")], 1, "FileUnreadable"],
        [["look", join(path, "a.exe")], 1, "UnsupportedFile"],
        [["look", join(path, "a.zip")], 1, "ingest zip:FILE to read what is in it"],
        [["parse", join(path, "a.zip")], 1, "ingest zip:FILE to read what is in it"],
        [["look", "--host", "0.0.0.0"], 64, "not a loopback address"],
        [["look", "https://example.com/a.pdf"], 64, "is an address"]
      ] as const
      for (const [words, expected, said] of cases) {
        const { status, stderr, stdout } = yield* Effect.promise(() => runHere(words))
        assert.strictEqual(status, expected, stderr)
        assert.include(stderr, said)
        assert.isEmpty(stdout)
      }
      const { stdout } = yield* Effect.promise(() => runHere(["look", join(path, "a.exe"), "--json"]))
      assert.match(stdout, /^\{"error":\{"tag":"UnsupportedFile"/)
    })
  )
})

describe("docsluice serve", () => {
  it.scopedLive("answers / with the page, unless it is left out", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const Base = Schema.parseJson(Schema.Struct({ base: Schema.String }))
      for (const [words, statuses] of [
        [[], [200, 503]],
        [["--no-page"], [404]]
      ] as const) {
        const server = yield* started(path, ["serve", "--port", "0", "--json", ...words])
        while (!server.stdout().includes("\n")) yield* Effect.sleep("20 millis")
        const { base } = Schema.decodeSync(Base)(server.stdout())
        assert.include(statuses, (yield* request(base.replace(/v2$/, ""))).status)
      }
    })
  )
})
