import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as PageFile from "../../src/cli/PageFile.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-page-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const pieces = ["<p>", "text \ud83d\ude00", "</p>"]

describe("--html OUT", () => {
  it.scoped("is refused when it is a folder, in no folder, or the document under any name", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const document = join(root, "a.html")
      writeFileSync(document, "the document")
      mkdirSync(join(root, "sub"))
      linkSync(document, join(root, "hard"))
      symlinkSync(document, join(root, "soft"))
      const refused = (path: string) => Effect.map(Effect.flip(PageFile.at(path, document)), ({ message }) => message)
      assert.match(yield* refused(join(root, "sub")), /is a folder/)
      assert.match(yield* refused(join(root, "sub/")), /is a folder/)
      assert.match(yield* refused(join(root, "new/")), /expected the name of a file/)
      assert.match(yield* refused(join(root, "none/out.html")), /the folder .*none does not exist/)
      assert.match(yield* refused(join(document, "out.html")), /a\.html/)
      for (const name of ["a.html", "sub/../a.html", "hard", "soft"]) {
        assert.match(yield* refused(join(root, name)), /is the document itself/)
      }
      assert.match(yield* refused("/dev/null"), /is no ordinary file; --html - writes to stdout/)
      assert.match(yield* refused(""), /expected the name of a file/)
      assert.deepStrictEqual(readdirSync(root).toSorted(), ["a.html", "hard", "soft", "sub"])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("is written whole for its owner alone, replaces what was there, and leaves a link a link", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const out = join(root, "out.html")
      symlinkSync(out, join(root, "latest.html"))
      yield* Effect.flatMap(PageFile.at(out, join(root, "a.pdf")), (page) => page.write(["old"]))
      assert.strictEqual(readFileSync(out, "utf8"), "old")
      assert.strictEqual(statSync(out).mode & 0o777, 0o600, "its owner's alone")
      chmodSync(out, 0o640)
      const linked = yield* PageFile.at(join(root, "latest.html"), join(root, "a.pdf"))
      yield* linked.write([...pieces, "x".repeat(3_000_000)])
      assert.strictEqual(readFileSync(out, "utf8"), `${pieces.join("")}${"x".repeat(3_000_000)}`)
      assert.strictEqual(statSync(out).mode & 0o777, 0o640, "as its owner wants it")
      assert.deepStrictEqual(readdirSync(root).toSorted(), ["latest.html", "out.html"])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("leaves what was there, and nothing else, when it cannot be written", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const out = join(root, "out.html")
      const page = yield* PageFile.at(out, join(root, "a.pdf"))
      mkdirSync(join(out, "in the way"), { recursive: true })
      const error = yield* Effect.flip(page.write(pieces))
      assert.strictEqual(error._tag, "PageNotWritten")
      assert.include(error.message, out)
      const broken = function* () {
        yield "x".repeat(2_000_000)
        throw new Error("no more")
      }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(page.write(broken()))))
      assert.deepStrictEqual(readdirSync(root), ["out.html"])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
