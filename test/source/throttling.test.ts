import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Http from "docsluice/source/Http"
import { Effect, Stream } from "effect"
import * as WebServer from "./webServer.ts"

describe("a host that throttles", () => {
  it.scopedLive("gets no other request for as long as one of its answers asks to wait", () =>
    Effect.gen(function* () {
      const web = yield* WebServer.scoped
      const paths = Array.from({ length: 6 }, (_, index) => `/${index}.md`)
      for (const path of paths) web.pages.set(path, { body: path, etag: `"${path}"` })
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-list-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
      )
      const list = join(folder, "urls.txt")
      writeFileSync(list, paths.map((path) => `${web.origin}${path}`).join("\n"))
      const times: Array<number> = []
      web.fault = () => {
        times.push(Date.now())
        return times.length === 1 ? { status: 503, headers: { "retry-after": "1" } } : undefined
      }
      const found = yield* Stream.runCollect(Http.make({ root: `list:${list}`, allowPrivate: ["127.0.0.1"] }).files)
      assert.lengthOf(found, 6)
      const [first = 0, ...others] = times
      assert.lengthOf(others, 6)
      assert.isTrue(others.every((time) => time - first >= 990))
    })
  )
})
