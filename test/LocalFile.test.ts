import { readdirSync, readlinkSync } from "node:fs"
import { FileSystem } from "@effect/platform"
import { NodeFileSystem, NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as LocalFile from "docsluice/LocalFile"
import type * as SourceFile from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Fiber } from "effect"
import * as faultserver from "./faultserver/server.ts"
import { asRun, impatient, live, parse } from "./service/collaborators.ts"

const transports = { "undici, leaner": UndiciHttpClient.layer(), undici: NodeHttpClient.layerUndici } as const

/** Bytes that differ from part to part. */
const content = (size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 4096) bytes.fill((at >> 12) % 251, at, at + 4096)
  return bytes
}

/** A file of `size` bytes that is announced as `announced`. */
const written = (name: string, size: number, announced = size) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const absolute = `${yield* fs.makeTempDirectoryScoped()}/${name}`
    yield* fs.writeFile(absolute, content(size))
    return LocalFile.make({ root: "root", path: name, absolute, size: announced })
  }).pipe(Effect.provide(NodeFileSystem.layer))

const missing = (size: number) =>
  LocalFile.make({ root: "root", path: "gone.pdf", absolute: "/no/such/gone.pdf", size })

const failureOf = (file: SourceFile.SourceFile, base: string, transport: (typeof transports)["undici"]) =>
  Effect.map(Effect.provide(asRun(file), live(base, impatient, 4, transport)), ({ result, run }) => ({
    ...(result._tag === "Left" ? result.left : {}),
    requests: run.counters.requests
  }))

/** Whether this process has a file of that name open. */
const isOpen = (name: string): boolean =>
  readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).endsWith(name)
    } catch {
      return false
    }
  })

for (const [name, transport] of Object.entries(transports)) {
  describe(`LocalFile over ${name}`, () => {
    it.scopedLive("arrives byte for byte, opened anew for every attempt", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        for (const size of [1, 1_048_576, 1_048_577, 5_000_000]) {
          const file = yield* written(`${size}@e503~times=2.pdf`, size)
          const answer = yield* Effect.provide(parse(file), live(server.base, impatient, 4, transport))
          assert.deepInclude({ ...server.log.at(-1) }, { size, sha256: answer.contentHash, attempt: 3 })
        }
      })
    )

    it.scopedLive("that has another size now, or is gone, fails as a file and is not sent again", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        for (const [size, announced] of [
          [1000, 1001],
          [1001, 1000],
          [2_900_000, 3_000_000],
          [3_000_000, 2_900_000]
        ] as const) {
          const file = yield* written(`${size}.pdf`, size, announced)
          const failure = yield* failureOf(file, server.base, transport)
          assert.deepInclude(failure, { _tag: "FileChanged", expected: announced })
          assert.isAtMost(failure.requests, 1)
        }
        const small = yield* failureOf(missing(1000), server.base, transport)
        assert.deepInclude(small, { _tag: "FileUnreadable", reason: "NotFound", requests: 0 })
        const big = yield* failureOf(missing(3_000_000), server.base, transport)
        assert.deepInclude(big, { _tag: "FileUnreadable", reason: "NotFound", requests: 1 })
      })
    )

    it.scopedLive.skipIf(process.platform !== "linux")("is closed when its upload is interrupted", () =>
      Effect.gen(function* () {
        const server = yield* faultserver.start()
        const file = yield* written("closing@stall-upload.pdf", 20_000_000)
        yield* Effect.gen(function* () {
          const fiber = yield* Effect.fork(parse(file))
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => server.log.length === 1 && isOpen(file.path) })
          yield* Fiber.interrupt(fiber)
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => !isOpen(file.path) })
        }).pipe(Effect.timeout("5 seconds"), Effect.provide(live(server.base, impatient, 4, transport)))
        assert.isFalse(isOpen(file.path))
      })
    )
  })
}
