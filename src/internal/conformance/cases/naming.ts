import * as Effect from "effect/Effect"
import { ChunkId } from "../../../DocumentChunk.ts"
import * as access from "../access.ts"
import { type Case, claiming } from "../Case.ts"
import { documentId } from "../samples.ts"

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

export const naming: ReadonlyArray<Case> = [
  {
    name: "distinguishes ids by every character",
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const chunks = names.map((name, index) =>
          world.chunk("ids.md", index, { id: ChunkId.make(name), text: "one text" })
        )
        yield* world.session((sink) => sink.write(chunks))
        yield* world.expect(chunks)
      })
  },
  {
    name: "removes exactly the given ids, and none that look alike",
    lacking: claiming("remove"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        let left = names.map((name, index) => world.chunk("ids.md", index, { id: ChunkId.make(name) }))
        yield* world.session((sink) => sink.write(left))
        for (const gone of [
          ["case"],
          ["cas%", "cas_", "case*"],
          ["a", "1", "e\u0301", "ss"],
          ["CAS", "as", "b", "%"]
        ]) {
          yield* world.session((sink) =>
            access.remove(
              sink,
              gone.map((id) => ChunkId.make(id))
            )
          )
          left = left.filter(({ id }) => !gone.includes(id))
          yield* world.expect(left)
        }
      })
  },
  {
    name: "distinguishes documents by every character",
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        const chunks = documents.flatMap((document, at) =>
          [0, 1].map((index) => world.chunk(document, index, { id: ChunkId.make(`document ${at}, ${index}`) }))
        )
        yield* world.session((sink) => sink.write(chunks))
        yield* world.expect(chunks)
      })
  },
  {
    name: "replaces exactly the given document, and none that looks alike",
    lacking: claiming("replace"),
    looks: "ids",
    run: (world) =>
      Effect.gen(function* () {
        let left = documents.flatMap((document, at) =>
          [0, 1].map((index) => world.chunk(document, index, { id: ChunkId.make(`document ${at}, ${index}`) }))
        )
        yield* world.session((sink) => sink.write(left))
        for (const document of ["case.html", "cas%.html", "cas_.html", "e\u0301.md"]) {
          const next = [world.chunk(document, 0, { id: ChunkId.make(`new ${document}`) })]
          yield* world.session((sink) => access.replace(sink, documentId(document), next))
          left = [...left.filter((chunk) => chunk.documentId !== documentId(document)), ...next]
          yield* world.expect(left)
        }
      })
  }
]
