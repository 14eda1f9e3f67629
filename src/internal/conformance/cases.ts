import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { ChunkId } from "../../DocumentChunk.ts"
import { DocumentId } from "../../SourceFile.ts"
import type { ConformanceFailure, World } from "./session.ts"

export interface Case {
  readonly name: string
  readonly applies: (world: World) => boolean
  readonly run: (world: World) => Effect.Effect<unknown, ConformanceFailure>
}

const always = () => true

const writing: ReadonlyArray<Case> = [
  {
    name: "stores what is written, and finds it in a new session",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const chunks = [...world.document("a.pdf", 5), ...world.document("folder/b.md", 3)]
        yield* world.session((sink) => sink.write(chunks))
        yield* world.expect(chunks)
        yield* world.session(() => Effect.void)
        yield* world.expect(chunks)
      })
  },
  {
    name: "writes the same chunk twice without storing it twice",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const chunks = world.document("a.pdf", 4)
        yield* world.session((sink) => Effect.zipRight(sink.write(chunks), sink.write(chunks)))
        yield* world.session((sink) => sink.write([...chunks, ...chunks.slice(1, 3)]))
        yield* world.expect(chunks)
      })
  },
  {
    name: "keeps what was written last under an id",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const first = world.document("a.pdf", 3)
        const last = first.map((_, index) => world.chunk("a.pdf", index, { text: `changed ${index}`, tokens: 9 }))
        yield* world.session((sink) => Effect.zipRight(sink.write(first), sink.write(last)))
        yield* world.expect(last)
      })
  },
  {
    name: "takes batches of none, one, the maximum and one more",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const most = yield* world.unprepared((sink) => Effect.succeed(Math.min(sink.limits.maxCount, 5000)))
        const small = world.document("one.md", 1)
        const full = world.document("full.md", most)
        const above = world.document("above.md", most + 1)
        yield* world.session((sink) =>
          Effect.forEach([[], small, full, above], (batch) => sink.write(batch), { discard: true })
        )
        yield* world.expect([...small, ...full, ...above])
      })
  },
  {
    name: "keeps Unicode, NUL, line breaks and 100 KB of text as they are",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
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
        yield* world.session((sink) => sink.write(chunks))
        yield* world.expect(chunks)
      })
  },
  {
    name: "keeps metadata, lists, boxes and headings as they are",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
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
        yield* world.session((sink) => sink.write(chunks))
        yield* world.expect(chunks)
      })
  },
  {
    name: "takes documents from several writers at the same time",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const documents = Array.from({ length: 8 }, (_, at) => world.document(`many/${at}.md`, 1 + at * 3))
        yield* world.session((sink) =>
          Effect.forEach(documents, (one) => sink.write(one), { concurrency: 8, discard: true })
        )
        yield* world.expect(documents.flat())
      })
  },
  {
    name: "can be interrupted in a write and written to again",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const chunks = world.document("interrupted.md", 200)
        yield* world.session((sink) =>
          Effect.gen(function* () {
            for (const yields of [0, 1, 3, 10]) {
              const fiber = yield* Effect.fork(sink.write(chunks))
              for (let at = 0; at < yields; at++) yield* Effect.yieldNow()
              yield* Fiber.interrupt(fiber)
            }
            yield* sink.write(chunks)
          })
        )
        yield* world.expect(chunks)
      })
  },
  {
    name: "refuses a chunk with a number that is not finite, and stores the rest later",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const good = world.document("a.md", 2)
        const bad = world.chunk("a.md", 2, { metadata: { ratio: Number.NaN } })
        const exit = yield* world.session((sink) =>
          Effect.zipLeft(Effect.exit(sink.write([...good, bad])), sink.write(good))
        )
        if (Exit.isSuccess(exit)) return yield* world.fail("the chunk was acknowledged")
        return yield* world.expect(good)
      })
  }
]

const removing: ReadonlyArray<Case> = [
  {
    name: "removes chunks by id, and does not mind those that are not there",
    applies: ({ can }) => can.remove,
    run: (world) =>
      Effect.gen(function* () {
        const chunks = world.document("a.pdf", 6)
        const [kept, gone] = [chunks.slice(0, 2), chunks.slice(2)]
        yield* world.session((sink) =>
          Effect.zipRight(
            sink.write(chunks),
            sink.remove?.([...gone.map(({ id }) => id), ChunkId.make("nowhere")]) ?? Effect.void
          )
        )
        yield* world.expect(kept)
        yield* world.session((sink) => sink.remove?.(gone.map(({ id }) => id)) ?? Effect.void)
        yield* world.expect(kept)
        yield* world.session((sink) => sink.write(gone))
        yield* world.expect(chunks)
        yield* world.session((sink) => sink.remove?.(chunks.map(({ id }) => id)) ?? Effect.void)
        yield* world.expect([])
      })
  },
  {
    name: "replaces a document with more chunks, with fewer, and with none",
    applies: ({ can }) => can.replace,
    run: (world) =>
      Effect.gen(function* () {
        const other = world.document("other.md", 3)
        const documentId = DocumentId.make("conformance/a.pdf")
        yield* world.session((sink) => sink.write(other))
        for (const [count, generation] of [
          [3, "one"],
          [7, "two"],
          [7, "two"],
          [2, "three"],
          [0, "four"],
          [4, "five"]
        ] as const) {
          const chunks = world.document("a.pdf", count, generation)
          yield* world.session((sink) => sink.replace?.(documentId, chunks) ?? Effect.void)
          yield* world.expect([...other, ...chunks])
        }
      })
  },
  {
    name: "replaces a document by one that shares chunks with it",
    applies: ({ can }) => can.replace,
    run: (world) =>
      Effect.gen(function* () {
        const documentId = DocumentId.make("conformance/a.pdf")
        const old = world.document("a.pdf", 5)
        const next = [
          ...world.document("a.pdf", 1, "new"),
          ...old.slice(2, 4).map(({ id, text }, at) => world.chunk("a.pdf", at + 1, { id, text }))
        ]
        yield* world.session((sink) =>
          Effect.zipRight(sink.write(old), sink.replace?.(documentId, next) ?? Effect.void)
        )
        yield* world.expect(next)
      })
  },
  {
    name: "replaces several documents in one step, new ones among them, and leaves the others",
    applies: ({ can }) => can.replace,
    run: (world) =>
      Effect.gen(function* () {
        const [a, b, c] = ["a.pdf", "b.pdf", "c.pdf"].map((source) => world.document(source, 3))
        const other = world.document("other.pdf", 2)
        const old = [...(a ?? []), ...(b ?? []), ...other]
        const next = [
          { documentId: DocumentId.make("conformance/a.pdf"), chunks: (a ?? []).slice(0, 1) },
          { documentId: DocumentId.make("conformance/b.pdf"), chunks: [] },
          { documentId: DocumentId.make("conformance/c.pdf"), chunks: c ?? [] }
        ]
        yield* world.session((sink) =>
          sink.replaceAll === undefined
            ? Effect.zipRight(
                sink.write(old),
                Effect.forEach(next, ({ chunks, documentId }) => sink.replace?.(documentId, chunks) ?? Effect.void, {
                  discard: true
                })
              )
            : Effect.zipRight(sink.write(old), sink.replaceAll(next))
        )
        yield* world.expect([...(a ?? []).slice(0, 1), ...(c ?? []), ...other])
      })
  },
  {
    name: "refuses to replace a document by another one's chunks",
    applies: ({ can }) => can.replace,
    run: (world) =>
      Effect.gen(function* () {
        const kept = world.document("a.pdf", 2)
        const exit = yield* world.session((sink) =>
          Effect.zipRight(
            sink.write(kept),
            Effect.exit(sink.replace?.(DocumentId.make("conformance/a.pdf"), world.document("b.pdf", 1)) ?? Effect.void)
          )
        )
        if (Exit.isSuccess(exit)) return yield* world.fail("it was acknowledged")
        return yield* world.expect(kept)
      })
  },
  {
    name: "converges when it is closed between any two steps of the write order",
    applies: ({ can }) => can.remove,
    run: (world) =>
      Effect.gen(function* () {
        const old = world.document("a.pdf", 4, "old")
        const next = world.document("a.pdf", 3, "next")
        const remove = world.session((sink) => sink.remove?.(old.map(({ id }) => id)) ?? Effect.void)
        yield* world.session((sink) => sink.write(old))
        yield* world.expect(old)
        yield* world.session((sink) => sink.write(next.slice(0, 1)))
        yield* world.expect([...old, ...next.slice(0, 1)])
        yield* world.session((sink) => sink.write(next))
        yield* world.expect([...old, ...next])
        yield* remove
        yield* world.expect(next)
        yield* remove
        yield* world.session((sink) => sink.write(next))
        yield* world.expect(next)
      })
  }
]

const preparing: ReadonlyArray<Case> = [
  {
    name: "gives the same stamp each time it is opened",
    applies: ({ can }) => can.stamp,
    run: (world) =>
      Effect.gen(function* () {
        const first = yield* world.session((sink, stamp) => Effect.as(sink.write(world.document("a.md", 2)), stamp))
        const second = yield* world.session((_, stamp) => Effect.succeed(stamp))
        const third = yield* world.session((sink) => sink.prepare(world.space))
        if (first === null) return yield* world.fail("the first stamp is null")
        return first === second && second === third
          ? undefined
          : yield* world.fail(`it gave ${first}, then ${second}, then ${third}`)
      })
  },
  {
    name: "gives another stamp once the store was deleted",
    applies: ({ can, target }) => can.stamp && target.destroy !== undefined,
    run: (world) =>
      Effect.gen(function* () {
        const before = yield* world.session((sink, stamp) => Effect.as(sink.write(world.document("a.md", 2)), stamp))
        yield* Effect.catchAll(world.target.destroy ?? Effect.void, (cause) =>
          world.fail("it could not be deleted", cause)
        )
        const after = yield* world.session((_, stamp) => Effect.succeed(stamp))
        if (before === after) return yield* world.fail(`it is still ${before}`)
        return yield* world.expect([])
      })
  },
  {
    name: "refuses another embedding space and keeps what it holds",
    applies: ({ can }) => can.stamp,
    run: (world) =>
      Effect.gen(function* () {
        const chunks = world.document("a.md", 2)
        const other = { model: "another-model", dimensions: 7, normalized: true, metric: "cosine" } as const
        yield* world.session((sink) => sink.write(chunks))
        const error = yield* world.unprepared((sink) => Effect.either(sink.prepare(other)))
        if (error._tag === "Right") return yield* world.fail("it was accepted")
        if (error.left.reason !== "Mismatch" || !error.left.message.includes("another-model")) {
          return yield* world.fail(`the error should be a Mismatch that names the spaces: ${error.left.message}`)
        }
        return yield* world.expect(chunks)
      })
  },
  {
    name: "is empty after it was cleared, and takes another embedding space",
    applies: always,
    run: (world) =>
      Effect.gen(function* () {
        const other = { model: "another-model", dimensions: 7, normalized: true, metric: "cosine" } as const
        yield* world.session((sink) => sink.write(world.document("a.md", 3)))
        yield* world.unprepared((sink) =>
          Effect.gen(function* () {
            if (sink.clear === undefined) return
            yield* sink.clear
            yield* sink.prepare(other)
            yield* sink.clear
          })
        )
        const clears = yield* world.unprepared((sink) => Effect.succeed(sink.clear !== undefined))
        return clears ? yield* world.expect([]) : undefined
      })
  }
]

export const cases: ReadonlyArray<Case> = [...writing, ...removing, ...preparing]
