import { assert, describe, it } from "@effect/vitest"
import * as Source from "docsluice/Source"
import * as AzureBlob from "docsluice/source/AzureBlob"
import * as SourceFile from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Chunk, Effect, Redacted, Stream } from "effect"
import { shared } from "../fixtures/shared.ts"
import * as Azurite from "./azurite.ts"
import * as FaultProxy from "./faultProxy.ts"

const missing = Azurite.missing()

const server = shared(Azurite.scoped)

const account = { name: Azurite.account, key: Redacted.make(Azurite.key) }

type Seen = readonly [path: string, what: string]

const seen = (options: AzureBlob.Options) =>
  AzureBlob.make({ account, ...options }).files.pipe(
    Stream.mapEffect((found): Effect.Effect<Seen, SourceFile.FileUnreadable | SourceFile.FileChanged> => {
      if (found._tag === "SourceFile") {
        return Effect.map(SourceFile.bytes(found), (bytes) => [found.path, new TextDecoder().decode(bytes)])
      }
      return Effect.succeed([found.path, found._tag === "Unsupported" ? found._tag : found.error._tag])
    }),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.provide(UndiciHttpClient.layer())
  )

/** Where a container of one's own is, behind a proxy that fails as it is told. */
const container = (name: string, blobs: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { endpoint, send } = yield* server
    const proxy = yield* FaultProxy.scoped(new URL(endpoint).origin)
    yield* Effect.promise(async () => {
      assert.strictEqual(await send("PUT", `/${name}?restype=container`), 201)
      const sent = Object.entries(blobs).map(([key, body]) => send("PUT", `/${name}/${key}`, body))
      for (const status of await Promise.all(sent)) assert.strictEqual(status, 201)
    })
    return { proxy, send, root: `az://${name}`, endpoint: `${proxy.endpoint}/${Azurite.account}` }
  })

describe.skipIf(missing !== null)(`Azure's storage${missing === null ? "" : `: ${missing}`}`, () => {
  it.scopedLive("lists blobs below a prefix, in any script, and reads them", () =>
    Effect.gen(function* () {
      const { endpoint, root } = yield* container("docs", {
        "in/%C3%BC%20b%2B%2B%20%26%20%E4%B8%AD.md": "wide",
        "in/sub/a.md": "a",
        "in/x.bin": "binary",
        "other.md": "beside"
      })
      assert.sameDeepMembers(
        [...(yield* seen({ root: `${root}/in`, endpoint }))],
        [
          ["ü b++ & 中.md", "wide"],
          ["sub/a.md", "a"],
          ["x.bin", "Unsupported"]
        ]
      )
      assert.deepEqual(yield* seen({ root, endpoint, patterns: ["in/sub", "other.md"] }), [
        ["in/sub/a.md", "a"],
        ["other.md", "beside"]
      ])
    })
  )

  it.scopedLive("goes on with a read that breaks off, and reads no other version than the one that was listed", () =>
    Effect.gen(function* () {
      const text = "line\n".repeat(60_000)
      const { endpoint, proxy, root, send } = yield* container("broken", { "long.md": text })
      let reads = 0
      proxy.fault = (line) => {
        if (line.includes("comp=list")) return undefined
        reads += 1
        return reads === 1 ? { breakAfter: 100_000 } : reads === 2 ? { status: 503 } : undefined
      }
      assert.deepEqual(yield* seen({ root, endpoint }), [["long.md", text]])
      assert.strictEqual(reads, 3)
      const error = yield* AzureBlob.make({ root, endpoint, account }).files.pipe(
        Stream.mapEffect((found) =>
          found._tag === "SourceFile"
            ? Effect.zipRight(
                Effect.promise(() => send("PUT", "/broken/long.md", "new")),
                Effect.flip(SourceFile.bytes(found))
              )
            : Effect.dieMessage("no file")
        ),
        Stream.runHead,
        Effect.flatten,
        Effect.provide(UndiciHttpClient.layer())
      )
      assert.strictEqual(error.message, "long.md: changed since it was found")
    })
  )

  it.scopedLive("fails for the container as a whole: no such one, a wrong key, no account", () =>
    Effect.gen(function* () {
      const { endpoint, root } = yield* container("whole", { "a.md": "a" })
      const failed = (options: Partial<AzureBlob.Options>) => Effect.flip(seen({ root, endpoint, ...options }))
      const wrong = { ...account, key: Redacted.make(Buffer.from("wrong").toString("base64")) }
      const found = yield* Effect.all([
        failed({ root: "az://nosuch" }),
        failed({ account: wrong }),
        failed({ patterns: ["b/**"] }),
        failed({ account: undefined })
      ])
      assert.deepEqual(
        found.map((error) => (error instanceof Source.SourceUnavailable ? error.reason : String(error))),
        ["Missing", "Denied", "NoMatch", "Invalid"]
      )
    })
  )
})
