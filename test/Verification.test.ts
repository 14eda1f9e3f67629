import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Corpus from "docsluice/Corpus"
import * as Verification from "docsluice/Verification"
import { Effect, Layer } from "effect"
import { shared } from "./fixtures/shared.ts"

const fixtures = fileURLToPath(new URL("reading/fixtures/md", import.meta.url))

const handbook = `# Gauges

## Calibration

Every gauge is calibrated in spring, before the thaw. It must **not** be moved by more than 1.5 mm; the
long-term drift is −5 % a year.

## Costs

| item | 2023 | 2024 |
| --- | --- | --- |
| new gauges | 82,959 | 12 |
| repairs | 47,074 | 9 |

## Reading

${"The pressure gauge at North Quay is read twice a day and cleaned twice a month, by the keeper of the quay. ".repeat(9)}
`

const readings = Array.from(
  { length: 40 },
  (_, at) =>
    `On day ${at + 1} the gauge at pier ${at * 7 + 11} stood at ${at * 13 + 105} millimetres above the ${at + 3}rd mark.`
)

/** Chunks so small that a long sentence runs over several. */
const store = Layer.unwrapScoped(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    const documents = join(folder, "documents")
    yield* fs.copy(fixtures, documents)
    yield* fs.writeFileString(join(documents, "handbook.md"), handbook)
    yield* fs.writeFileString(join(documents, "readings.md"), readings.join(" "))
    yield* fs.writeFileString(join(documents, "copy.md"), handbook.replace("1.5 mm", "15 mm"))
    const corpus = yield* Corpus.make({
      to: `libsql:${folder}/store.db`,
      state: join(folder, "state"),
      chunker: { kind: "auto", maxTokens: 48 }
    })
    yield* corpus.ingest({ root: documents })
    return Layer.succeed(Corpus.Corpus, corpus)
  })
).pipe(Layer.provideMerge(NodeContext.layer))

const verify = (quote: string, options?: Verification.Options) =>
  Effect.flatMap(Corpus.Corpus, (corpus) => Verification.verify(quote, corpus, options))

const inHandbook = { source: "handbook.md" }

const services = shared(Effect.orDie(Layer.build(store)))

/** A test over the store. */
const fact = (title: string, test: () => Effect.Effect<void, unknown, Layer.Layer.Success<typeof store>>) =>
  it.live(title, () => Effect.flatMap(services, (context) => Effect.provide(test(), context)))

describe("a quote", () => {
  fact("that stands word for word is exact, with every place", () =>
    Effect.gen(function* () {
      const { places, quote, stands } = yield* verify(
        "Every gauge is\ncalibrated in “spring”, before".replaceAll(/[“”]/gu, "")
      )
      assert.strictEqual(stands, "exact")
      assert.strictEqual(quote, "Every gauge is\ncalibrated in spring, before")
      assert.sameMembers(
        places.map(({ source }) => source),
        ["handbook.md", "copy.md"]
      )
      for (const place of places) {
        assert.deepStrictEqual(place.differences, [])
        assert.strictEqual(place.text, "Every gauge is calibrated in spring, before")
        assert.lengthOf(place.chunkIds, 1)
        assert.include(place.label, place.source)
      }
    })
  )

  fact("is looked for in one document where that is named, by its path or its id", () =>
    Effect.gen(function* () {
      const found = yield* verify("moved by more than 1.5 mm", inHandbook)
      assert.deepStrictEqual([found.stands, found.places.map(({ source }) => source)], ["exact", ["handbook.md"]])
      const [place] = found.places
      const byId = yield* verify("moved by more than 1.5 mm", { source: place?.documentId })
      assert.strictEqual(byId.stands, "exact")
      const copy = yield* verify("It must not be moved by more than 1.5 mm", { source: "copy.md" })
      assert.strictEqual(copy.stands, "close")
      assert.deepStrictEqual(
        copy.places[0]?.differences.map(({ document, quote }) => [quote, document]),
        [["1.5", "15"]]
      )
    })
  )

  fact("gives as many places as are asked for", () =>
    Effect.gen(function* () {
      const { places } = yield* verify("Every gauge is calibrated", { places: 1 })
      assert.lengthOf(places, 1)
    })
  )

  fact("stands through the marks of Markdown, and over the cells of a table", () =>
    Effect.gen(function* () {
      const quotes = [
        "It must not be moved",
        "new gauges 82,959 12",
        "Costs item 2023 2024",
        "the long-\nterm drift is -5% a year"
      ]
      for (const quote of quotes) assert.strictEqual((yield* verify(quote, inHandbook)).stands, "exact", quote)
    })
  )

  fact("stands over chunks that follow one another, all of which it names", () =>
    Effect.gen(function* () {
      const sentence =
        "The pressure gauge at North Quay is read twice a day and cleaned twice a month, by the keeper of the quay."
      const { places, stands } = yield* verify(`${sentence} ${sentence} ${sentence} ${sentence}`, inHandbook)
      assert.strictEqual(stands, "exact")
      assert.isAbove(places[0]?.chunkIds.length ?? 0, 1)
    })
  )

  fact("over many chunks stands there, and with another word does not", () =>
    Effect.gen(function* () {
      const { places, stands } = yield* verify(readings.slice(4, 30).join("\n"))
      assert.strictEqual(stands, "exact")
      assert.isAbove(places[0]?.chunkIds.length ?? 0, 8)
      const changed = readings.slice(4, 30).join("\n").replace("millimetres", "metres")
      assert.notStrictEqual((yield* verify(changed)).stands, "exact")
    })
  )

  fact("that differs is close, with the words of both sides", () =>
    Effect.gen(function* () {
      const differing = [
        ["It must be moved by more than 1.5 mm", ["", "not"]],
        ["It must not be moved by more than 2.5 mm", ["2.5", "1.5"]],
        ["Every gauge is not calibrated in spring", ["not", ""]],
        ["the long-term drift is 5 % a year", ["5%", "-5%"]],
        ["read twice a day and cleaned twice a month, by the keeper of the mast", ["mast", "quay."]]
      ] as const
      for (const [quote, difference] of differing) {
        const { places, stands } = yield* verify(quote, inHandbook)
        const told = places[0]?.differences.map(({ document, quote }) => [quote, document])
        assert.deepStrictEqual({ quote, stands, told }, { quote, stands: "close", told: [[...difference]] })
      }
    })
  )

  fact("that stands nowhere is absent, and so is one without words", () =>
    Effect.gen(function* () {
      for (const quote of ["The mast has three stays of steel, which a rigger checks.", " … ", ""]) {
        assert.deepStrictEqual({ ...(yield* verify(quote)) }, { quote, stands: "absent", places: [] })
      }
    })
  )

  fact("from any document stands there, and with another number nowhere", () =>
    Effect.gen(function* () {
      let checked = 0
      for (const name of readdirSync(fixtures)) {
        const lines = readFileSync(join(fixtures, name), "utf8").split("\n")
        const prose = lines.filter((line) => /^[A-Z][a-z]+ [^`[<*_|\\]{60,300}[.]$/u.test(line))
        for (const line of prose.slice(0, 4)) {
          const { places, stands } = yield* verify(line.replaceAll(" ", "\n"), { source: name })
          assert.deepStrictEqual([line, stands, places[0]?.source], [line, "exact", name])
          const words = line.split(" ")
          const changed = words.toSpliced(Math.floor(words.length / 2), 0, "41").join(" ")
          assert.strictEqual((yield* verify(changed, { source: name })).stands, "close", changed)
          checked += 1
        }
      }
      assert.isAbove(checked, 5)
    })
  )
})

describe("an answer", () => {
  fact("is checked sentence by sentence, with and without its references", () =>
    Effect.gen(function* () {
      const corpus = yield* Corpus.Corpus
      const answer =
        "## Answer\n\nEvery gauge is calibrated in spring, before the thaw [1]. It must be moved.\nRobots do that."
      const verdicts = yield* Verification.verifySentences(answer, corpus, inHandbook)
      assert.deepStrictEqual(
        verdicts.map(({ quote, stands }) => [quote, stands]),
        [
          ["Answer", "absent"],
          ["Every gauge is calibrated in spring, before the thaw [1].", "exact"],
          ["It must be moved.", "close"],
          ["Robots do that.", "absent"]
        ]
      )
    })
  )
})

describe("a handle", () => {
  it.scopedLive("checks quotes and answers as promises, and refuses options that there are not", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* Effect.promise(async () => {
        await using docs = await Async.open({ to: `libsql:${folder}/store.db`, state: join(folder, "state") })
        await docs.add({ path: "handbook.md", content: handbook })
        const verdict = await docs.verify("Every gauge is calibrated in spring")
        assert.deepStrictEqual([verdict.stands, verdict.places[0]?.source], ["exact", "handbook.md"])
        const verdicts = await docs.verifySentences(
          "Every gauge is calibrated in spring, before the thaw. Robots do that."
        )
        assert.deepStrictEqual(
          verdicts.map(({ stands }) => stands),
          ["exact", "absent"]
        )
        const refused = await docs.verify("Every gauge", JSON.parse('{"sources":"a.md"}')).then(String, String)
        assert.match(refused, /sources: there is no such option/u)
      })
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
