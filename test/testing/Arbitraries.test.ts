import { assert, describe, it } from "@effect/vitest"
import { ParseData } from "docsluice/ParsedDocument"
import * as Arbitraries from "docsluice/testing/Arbitraries"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Schema } from "effect"

const isParseData = Schema.is(ParseData)

describe("Arbitraries", () => {
  it.prop("every answer is one that the strict schema describes", [Arbitraries.parseData], ([data]) => {
    assert.isTrue(isParseData(data))
  })

  it.prop(
    "every span holds its block's content, in order and without overlap",
    [Arbitraries.sampleOptions],
    ([options]) => {
      const { blocks, markdown = "" } = ScriptedEngine.sample({ ...options, withBlocks: true })
      let last = 0
      for (const block of blocks?.flatMap((page) => page.items) ?? []) {
        const [start, end] = block.markdownSpan ?? [-1, -1]
        assert.strictEqual(markdown.slice(start, end), block.content)
        assert.isAtLeast(start, last)
        last = end
      }
    }
  )

  it.prop("the pages joined by markers are the Markdown", [Arbitraries.sampleOptions], ([options]) => {
    const { markdown, pages = [] } = ScriptedEngine.sample({ ...options, withPages: true, pageMarkers: true })
    const joined = pages?.map(
      (page, index) => (index === 0 ? "" : ScriptedEngine.marker(page.pageNumber)) + page.markdown
    )
    assert.strictEqual(joined?.join(""), markdown)
  })
})
