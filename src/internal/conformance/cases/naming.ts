import { ChunkId } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { always, type Case, checks, claiming } from "../Case.ts"
import { documentId } from "../samples.ts"
import type { World } from "../World.ts"

/** Distinct names, each of which some system treats as equal to another. */
const names = [
  "Case",
  "case",
  "CASE",
  " case",
  "case ",
  "cas%",
  "cas_",
  "case*",
  "1",
  "01",
  "1.0",
  "1e0",
  "é",
  "e\u0301",
  "ß",
  "ss",
  "a",
  "ab",
  "a/b",
  "a.b",
  "a'b",
  'a"b',
  "a\\b",
  "a,b",
  "null",
  "x".repeat(200),
  `${"x".repeat(200)}y`
]

const documents = [
  "Case.html",
  "case.html",
  "CASE.html",
  "case.html ",
  "cas%.html",
  "cas_.html",
  "case.htm",
  "case.html.md",
  "case.html/part",
  "folder/case.html",
  "é.md",
  "e\u0301.md",
  "it's.md"
]

const twoOfEach = (world: World) =>
  documents.flatMap((document, at) =>
    [0, 1].map((index) => world.chunk(document, index, { id: ChunkId.make(`document ${at}, ${index}`) }))
  )

export const naming: ReadonlyArray<Case> = [
  ...checks("ids", always, {
    *"distinguishes ids by every character"(world) {
      const chunks = names.map((name, index) =>
        world.chunk("ids.md", index, { id: ChunkId.make(name), text: "one text" })
      )
      yield* world.keeps(chunks)
    },
    *"distinguishes documents by every character"(world) {
      yield* world.keeps(twoOfEach(world))
    }
  }),
  ...checks("ids", claiming("remove"), {
    *"removes exactly the given ids, and none that look alike"(world) {
      let left = names.map((name, index) => world.chunk("ids.md", index, { id: ChunkId.make(name) }))
      yield* world.session((sink) => sink.write(left))
      for (const gone of [["case"], ["cas%", "cas_", "case*"], ["a", "1", "e\u0301", "ss"], ["CAS", "as", "b", "%"]]) {
        yield* world.session((sink) =>
          access.remove(
            sink,
            gone.map((id) => ({ id: ChunkId.make(id) }))
          )
        )
        left = left.filter(({ id }) => !gone.includes(id))
        yield* world.expect(left)
      }
    }
  }),
  ...checks("ids", claiming("replace"), {
    *"replaces exactly the given document, and none that looks alike"(world) {
      let left = twoOfEach(world)
      yield* world.session((sink) => sink.write(left))
      for (const document of ["case.html", "cas%.html", "cas_.html", "e\u0301.md"]) {
        const next = [world.chunk(document, 0, { id: ChunkId.make(`new ${document}`) })]
        yield* world.session((sink) => access.replace(sink, documentId(document), next))
        left = [...left.filter((chunk) => chunk.documentId !== documentId(document)), ...next]
        yield* world.expect(left)
      }
    }
  })
]
