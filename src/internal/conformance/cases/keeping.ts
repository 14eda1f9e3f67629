import { ChunkId, PackedVector } from "../../../DocumentChunk.ts"
import { all, always, type Case, checks, embedded, hooked } from "../Case.ts"

export const keeping: ReadonlyArray<Case> = [
  ...checks("content", always, {
    *"keeps Unicode, NUL, line breaks and 100 KB of text as they are"(world) {
      const texts = [
        "Zürich 北京 👩‍👩‍👧‍👦 e\u0301 \u202Eabc\u202C \uFEFF",
        "nul \0 bell \u0007 delete \u007F next line \u0085 separators \u2028\u2029",
        "---\ntitle: no front matter\n---\r\n\ttab\r\n\n",
        '"quotes" \\ back\\nslash {"json": [1]} \'sql\'); DROP TABLE chunks; --',
        " \n leading and trailing blanks \n ",
        "",
        "x€".repeat(50_000)
      ]
      const chunks = texts.map((text, index) => world.chunk("unicode.md", index, { text, embedText: `> ${text}` }))
      yield* world.keeps(chunks)
    },
    *"keeps halves of surrogate pairs and NUL in every text, distinct from their escaped forms"(world) {
      const texts = [
        "\uD83D",
        "\uDE00 begins",
        "ends \uD83D",
        "\uDE00\uD83D",
        "\0",
        "\uFFFD",
        "\uFDD0d83d",
        "\\ud83d",
        "\\u0000"
      ]
      const chunks = texts.map((text, index) =>
        world.chunk("halves.md", index, {
          text,
          embedText: `${text}, again`,
          headingPath: [{ depth: 1, text }],
          metadata: { text, list: [text, "whole"], [`key ${text}`]: true }
        })
      )
      yield* world.keeps(chunks)
    },
    *"keeps metadata, lists, boxes and headings as they are"(world) {
      const parentId = ChunkId.make("parent-0")
      const chunks = [
        world.chunk("layout.pdf", 0, {
          pages: [1, 2, 7],
          boxes: [
            { page: 1, bbox: [0, 0.125, 0.5, 1] },
            { page: 2, bbox: [0.25, 0.25, 0.75, 0.75] }
          ],
          headingPath: [
            { depth: 1, text: "Größe: 1 # 2" },
            { depth: 3, text: "" }
          ],
          kinds: ["table", "paragraph"],
          blockIds: ["b-1", "b-2"],
          parentId,
          notes: ["truncated-document"],
          metadata: {
            title: "a: b\n---\nc",
            "key with: colon": "true",
            yes: true,
            no: false,
            zero: 0,
            pi: 3.25,
            big: 2 ** 40,
            list: ["x", "", "y, z"],
            empty: []
          }
        }),
        world.chunk("layout.pdf", 1)
      ]
      yield* world.keeps(chunks)
    },
    *"keeps metadata of any name"(world) {
      const names = [
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "toString",
        "id",
        "text",
        "document_id",
        "metadata",
        "embedding",
        "docsluice",
        "",
        " ",
        "a.b",
        "$where",
        "#x",
        "key=value",
        "100%",
        "Case",
        "case",
        "0"
      ]
      const chunks = [
        world.chunk("names.md", 0, { metadata: Object.fromEntries(names.map((name) => [name, `value of ${name}`])) }),
        world.chunk("names.md", 1, { metadata: Object.fromEntries(names.map((name) => [name, ["one", name]])) })
      ]
      yield* world.keeps(chunks)
    },
    *"keeps numbers, booleans and the texts that look like them apart, to the last digit"(world) {
      const numbers = [0.1 + 0.2, 1 / 3, 2 ** 53 - 1, -(2 ** 53 - 1), 1e-9, 123456789.123, -0.5, 5e9]
      const chunks = [
        world.chunk("numbers.md", 0, {
          tokens: 2_000_000,
          start: 2_000_000_000,
          end: 2_100_000_000,
          metadata: Object.fromEntries(numbers.map((value, at) => [`n${at}`, value]))
        }),
        world.chunk("numbers.md", 1, {
          metadata: { a: "1", b: "1.0", c: "true", d: "null", e: "[]", f: "2020-01-01" }
        }),
        world.chunk("numbers.md", 2, { metadata: { a: 1, b: true, c: ["1", "true"], d: ["1"] } })
      ]
      yield* world.keeps(chunks)
    }
  }),
  ...checks("content", all(embedded, hooked("read")), {
    *"keeps vectors to the last digit of a 32-bit float, lists and packed ones"(world) {
      const dimensions = world.space?.dimensions ?? 0
      const vectors = Array.from({ length: 6 }, (_, row) => precise(dimensions, row))
      const chunks = vectors.map((vector, index) =>
        world.chunk("digits.md", index, { embedding: index % 2 === 0 ? vector : new PackedVector(vector) })
      )
      yield* world.keeps(chunks)
      const changed = chunks.map((_, index) =>
        world.chunk("digits.md", index, { embedding: precise(dimensions, index + 9) })
      )
      yield* world.keeps(changed)
    }
  })
]

/** A vector of length 1 with components from 1e-6 to nearly 1 and of both signs, all 32-bit floats. */
const precise = (dimensions: number, seed: number): ReadonlyArray<number> => {
  const raw = Array.from({ length: dimensions }, (_, at) => {
    const turn = (seed * 7 + at * 3 + 1) % 11
    return (turn % 2 === 0 ? 1 : -1) * (1 / (3 + turn)) * (at % 4 === 3 ? 1e-5 : 1)
  })
  const length = Math.hypot(...raw)
  return raw.map((component) => Math.fround(component / length))
}
