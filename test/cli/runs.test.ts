/** One run, asked by the command line, a program, a handle and a corpus: the same figures, and the same refusals. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Corpus from "docsluice/Corpus"
import { Summary } from "docsluice/Outcome"
import { Effect, Schema } from "effect"
import { run } from "./run.ts"

interface Asked {
  readonly folder: string
  readonly root: string
  readonly mode: "upsert" | "sync"
}

type Face = (asked: Asked) => Promise<Summary>

const summaryOf = Schema.decodeUnknownSync(Schema.parseJson(Summary))

const parts = (folder: string) =>
  ({ to: `libsql:${folder}/store.db`, embedder: "hash", state: `${folder}/state` }) as const

const faces: Readonly<Record<string, Face>> = {
  "the command line": async ({ folder, mode, root }) => {
    const { embedder, state, to } = parts(folder)
    const words = ["ingest", "--root", root, ".", "--to", to, "--embedder", embedder, "--state", state, "--mode", mode]
    const { stderr, stdout } = await run(folder, [...words, "--json"])
    if (stdout === "" || !stdout.includes("discovered")) throw new Error(`${stdout}${stderr}`)
    return summaryOf(stdout)
  },
  "Async.ingest": ({ folder, mode, root }) => {
    const { embedder, state, to } = parts(folder)
    return Async.ingest({ root, sinks: [to], embedder, state: { directory: state, mode } })
  },
  "a handle": async ({ folder, mode, root }) => {
    const docs = await Async.open(parts(folder))
    try {
      return await docs.ingest({ root }, { mode })
    } finally {
      await docs.close()
    }
  },
  "a corpus": ({ folder, mode, root }) =>
    Effect.flatMap(Corpus.make(parts(folder)), (docs) => docs.ingest({ root }, { mode })).pipe(
      Effect.scoped,
      Effect.provide(NodeContext.layer),
      Effect.runPromise
    )
}

const figures = ({ discovered, exit, failed, removed, stored, unchanged, warnings }: Summary) => ({
  discovered,
  exit,
  failed,
  removed,
  stored,
  unchanged,
  warnings: warnings.length
})

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const made = realpathSync(mkdtempSync(join(tmpdir(), "docsluice-runs-")))
    mkdirSync(join(made, "docs"))
    writeFileSync(join(made, "docs", "a.md"), "# Gauges\n\nEvery gauge is calibrated in spring.")
    writeFileSync(join(made, "docs", "b.md"), "The ferry leaves at six.")
    writeFileSync(join(made, "docs", "c.pdf"), "no PDF")
    return made
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const none = { discovered: 0, exit: 1, failed: 0, removed: 0, stored: 0, unchanged: 0, warnings: 1 }

describe.each(Object.entries(faces))("a run of %s", (_, face) => {
  it.scopedLive("stores once, and removes nothing where its root is gone or empty", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const root = join(made, "docs")
      const again = (mode: Asked["mode"]) =>
        Effect.map(
          Effect.promise(() => face({ folder: made, root, mode })),
          figures
        )
      const found = { discovered: 3, exit: 1, failed: 1, removed: 0, warnings: 0 }
      assert.deepStrictEqual(yield* again("upsert"), { ...found, stored: 2, unchanged: 0 })
      assert.deepStrictEqual(yield* again("sync"), { ...found, stored: 0, unchanged: 2 })
      renameSync(root, join(made, "away"))
      assert.deepStrictEqual(yield* again("sync"), none)
      mkdirSync(root)
      assert.deepStrictEqual(yield* again("sync"), none)
      rmSync(root, { recursive: true })
      renameSync(join(made, "away"), root)
      assert.deepStrictEqual(yield* again("sync"), { ...found, stored: 0, unchanged: 2 })
    })
  )

  it.scopedLive("is refused where its root never was, and leaves no store behind", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const asked = { folder: made, root: join(made, "nowhere"), mode: "upsert" } as const
      const refused = yield* Effect.flip(Effect.tryPromise({ try: () => face(asked), catch: String }))
      assert.include(refused, "nowhere: the root is not there")
      assert.isFalse(existsSync(join(made, "store.db")))
    })
  )
})

interface Wrong {
  readonly to?: `libsql:${string}`
  readonly embedder?: "hash" | `openai:${string}`
  /** A root that may not be text, in place of the folder. */
  readonly root?: string
  readonly chunker?: { readonly kind: "auto"; readonly maxTokens?: number }
}

/** What each face says of the same options, given as the words of the command line and as members of an object. */
const refusals = (made: string, root: string, words: ReadonlyArray<string>, wrong: Wrong) => {
  const { embedder, state, to, root: asked = root, ...rest } = { ...parts(made), ...wrong }
  const given = { embedder, ...rest }
  const refusal = (ask: () => Promise<unknown>) => Effect.flip(Effect.tryPromise({ try: ask, catch: String }))
  const line = ["ingest", "--root", root, ".", "--to", to, "--embedder", embedder, "--state", state, ...words]
  return Effect.all({
    line: Effect.map(
      Effect.promise(() => run(made, line)),
      ({ stderr }) => stderr
    ),
    ingest: refusal(() => Async.ingest({ root: asked, sinks: [to], state: { directory: state }, ...given })),
    handle: refusal(async () => {
      const docs = await Async.open({ to, state, ...given })
      try {
        return await docs.ingest({ root: asked })
      } finally {
        await docs.close()
      }
    }),
    corpus: Effect.flatMap(Corpus.make({ to, state, ...given }), (docs) => docs.ingest({ root: asked })).pipe(
      Effect.scoped,
      Effect.mapError(String),
      Effect.flip,
      Effect.provide(NodeContext.layer)
    )
  })
}

describe("what every face refuses", () => {
  it.scopedLive("is a root under a new name, in the spelling of the face", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const root = join(made, "docs")
      yield* Effect.promise(() =>
        Async.ingest({ root, sinks: [parts(made).to], state: { directory: parts(made).state }, embedder: "hash" })
      )
      const moved = join(made, "moved")
      renameSync(root, moved)
      const { line, ...programs } = yield* refusals(made, moved, [], {})
      assert.include(line, `${moved} looks like the root "docs" under a new name`)
      assert.include(line, "(--new-root)")
      for (const said of Object.values(programs)) {
        assert.include(said, `${moved} looks like the root "docs" under a new name`)
        assert.include(said, "(`newRoot`)")
      }
    })
  )

  // As a program without types, or a decoded file, may give it.
  const unknown = JSON.parse(
    '{ "store": "libsqk:x", "embedder": "hasj", "chunker": { "kind": "words" }, "member": { "chunkr": "auto" } }'
  )
  const wrongs: ReadonlyArray<readonly [string, ReadonlyArray<string>, Wrong, string, string, string]> = [
    ["an unknown store", [], { to: unknown.store }, "--to", "to", 'got "libsqk:…"; did you mean libsql?'],
    [
      "an unknown embedder",
      [],
      { embedder: unknown.embedder },
      "--embedder",
      "embedder",
      'got "hasj"; did you mean hash?'
    ],
    [
      "an unknown chunker",
      ["--chunker", "words"],
      { chunker: unknown.chunker },
      "--chunker",
      "chunker",
      'auto, pages, blocks, markdown, got "words"'
    ],
    [
      "a number out of bounds",
      ["--max-tokens", "0"],
      { chunker: { kind: "auto", maxTokens: 0 } },
      "--max-tokens",
      "maxTokens",
      "expected a whole number of at least 1"
    ],
    ["an unknown option", ["--chunkr", "auto"], unknown.member, "--chunkr", "chunkr", "; did you mean"]
  ]

  it.scopedLive.each(wrongs)("is %s, before anything is created", ([, words, wrong, flag, member, problem]) =>
    Effect.gen(function* () {
      const made = yield* folder
      const { line, ...programs } = yield* refusals(made, join(made, "docs"), words, wrong)
      assert.include(line, flag)
      assert.include(line, problem)
      for (const said of Object.values(programs)) {
        assert.include(said, `${member}: `)
        assert.include(said, problem)
      }
      assert.isFalse(existsSync(join(made, "store.db")))
      assert.isFalse(existsSync(join(made, "state")))
    })
  )
})

describe("a root given twice", () => {
  it.scopedLive("is refused by every face, before anything is created", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const given = JSON.parse('{ "root": ["a", "b"] }')
      const { line, ...programs } = yield* refusals(made, join(made, "docs"), ["--root", "b"], given)
      assert.include(line, "--root is given twice")
      for (const said of Object.values(programs)) assert.include(said, "root: expected a string, got an array")
      assert.isFalse(existsSync(join(made, "store.db")))
    })
  )
})

describe("a chunker in words", () => {
  const wrong = [
    [{ kind: "auto", maxTokens: 0 }, "maxTokens: expected a whole number of at least 1, got 0"],
    [{ kind: "pages", overlap: -1 }, "overlap: expected a whole number of at least 0, got -1"],
    [{ kind: "blocks", minTokens: 1.5 }, "minTokens: expected a whole number of at least 0, got 1.5"],
    [
      { kind: "auto", maxTokens: 9, overlap: 9 },
      "overlap: expected a whole number from 0 to 8, below `maxTokens` 9, got 9"
    ],
    [7, "chunker: expected auto, pages, blocks, markdown, got 7"],
    [{}, "chunker: expected auto, pages, blocks, markdown, got an object"],
    [{ kind: "words" }, 'chunker: expected auto, pages, blocks, markdown, got "words"'],
    [{ kind: "auto", pageBoundaries: "none" }, 'pageBoundaries: expected soft or hard, got "none"']
  ] as const

  it.scoped("is refused by every face of a program before anything is created", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const { state: _, ...given } = parts(made)
      const root = join(made, "docs")
      for (const [words, message] of wrong) {
        // As a program without types, or a decoded file, may give it.
        const chunker: { readonly kind: "auto" } = JSON.parse(JSON.stringify(words))
        const refusals = [
          yield* Effect.flip(
            Effect.tryPromise({ try: () => Async.ingest({ root, sinks: [given.to], chunker }), catch: String })
          ),
          yield* Effect.flip(Effect.tryPromise({ try: () => Async.open({ ...given, chunker }), catch: String })),
          yield* Effect.flip(Effect.mapError(Corpus.make({ ...given, chunker }), String))
        ]
        for (const refused of refusals) assert.include(refused, message)
      }
      assert.isFalse(existsSync(join(made, "store.db")))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
