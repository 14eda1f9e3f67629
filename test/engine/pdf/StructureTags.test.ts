import { assert, describe, it } from "@effect/vitest"
import type { StructureTreeElement } from "@llamaindex/liteparse-wasm"
import * as StructureTags from "../../../src/engine/pdf/lines/StructureTags.ts"

const element = (
  type: string,
  markedContentIds: Array<number>,
  children: Array<StructureTreeElement> = []
): StructureTreeElement => ({ type, attributes: new Map(), markedContentIds, children, annotations: [] })

/** A page with one item for each tag. */
const page = (roots: ReadonlyArray<StructureTreeElement>, texts: ReadonlyArray<string>) => ({
  items: texts.map((text, mcid) => ({ text, mcid })),
  tagged: StructureTags.fromTree(roots)
})

const sentence =
  "A paragraph of the usual length goes on for some lines and says what it has to say, then it ends. ".repeat(3)

describe("StructureTags.fromTree", () => {
  it("gives marked content the kind of its innermost block, and spans that of the block around them", () => {
    const tags = StructureTags.fromTree([
      element(
        "Document",
        [],
        [
          element("H2", [0], [element("Span", [1])]),
          element("P", [2]),
          element("L", [], [element("LI", [], [element("Lbl", [3]), element("LBody", [], [element("P", [4])])])]),
          element("Table", [], [element("TR", [], [element("TH", [], [element("P", [5])])])]),
          element("Note", [6]),
          element("Caption", [], [element("P", [7])])
        ]
      )
    ])
    const kinds = Array.from({ length: 8 }, (_, id) => tags.get(id)?.kind)
    assert.deepStrictEqual(kinds, ["heading", "heading", "text", "list", "list", "table", "footnote", "caption"])
    assert.strictEqual(tags.get(1)?.level, 2)
    assert.strictEqual(tags.get(0)?.element, tags.get(1)?.element)
    assert.strictEqual(tags.get(3)?.element, tags.get(4)?.element)
  })
})

describe("StructureTags.soundness", () => {
  it("holds for headings and paragraphs of usual lengths", () => {
    const roots = [element("H1", [0]), element("P", [1]), element("P", [2])]
    assert.deepStrictEqual(StructureTags.soundness([page(roots, ["Heading", sentence, sentence])]), {
      headings: true,
      paragraphs: true
    })
  })

  it("does not hold for a tree of paragraphs alone, of headings alone, of lines, or of a part of the text", () => {
    const headingsOf = (roots: ReadonlyArray<StructureTreeElement>, texts: ReadonlyArray<string>) =>
      StructureTags.soundness([page(roots, texts)])
    assert.isFalse(headingsOf([element("P", [0]), element("P", [1])], [sentence, sentence]).headings)
    assert.isFalse(headingsOf([element("H1", [0]), element("H1", [1])], [sentence, sentence]).headings)
    const lines = Array.from({ length: 20 }, (_, id) => element("P", [id]))
    assert.isFalse(
      headingsOf(
        lines,
        Array.from({ length: 20 }, () => "A line of the text, no more.")
      ).paragraphs
    )
    assert.isFalse(headingsOf([element("H1", [0])], ["Heading", sentence, sentence]).headings)
  })
})
