import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as PathList from "../../src/cli/PathList.ts"

const folder = mkdtempSync(join(tmpdir(), "docsluice-list-"))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (content: string | Buffer) =>
  Effect.suspend(() => {
    const file = join(folder, "list")
    writeFileSync(file, content)
    return Effect.provide(PathList.read(Option.some(file)), NodeContext.layer)
  })

describe("PathList", () => {
  it.effect("takes one path a line, as it is but for the line's end", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("a.pdf\r\n b.pdf \n\n#c.pdf\n!d\\.pdf\n\u2028e.pdf"), [
        "a.pdf",
        " b.pdf ",
        "#c.pdf",
        "!d\\.pdf",
        "\u2028e.pdf"
      ])
    })
  )

  it.effect("takes paths with line breaks in them where each is followed by a NUL", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("\na.pdf\0b\r\0c\r\nd.pdf\0"), ["\na.pdf", "b\r", "c\r\nd.pdf"])
      assert.deepStrictEqual(yield* read("\n.pdf\0"), ["\n.pdf"])
    })
  )
})
