import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Corpus from "docsluice/Corpus"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as LibSql from "docsluice/sinks/LibSql"
import * as Verification from "docsluice/Verification"
import { Duration, Effect, Stream, Struct } from "effect"
import * as Chunks from "./query/chunks.ts"
import { uniform } from "./random.ts"
import * as Alterations from "./verify/alterations.ts"
import * as Sentences from "./verify/sentences.ts"
/**
 * True and false quotations of the PDFs of a folder, checked in a libSQL store of many chunks: theirs, and synthetic ones. The true ones are
 * sentences as Poppler's `pdftotext` reads them, another extractor than ours, with its line ends and hyphens, set in another typography; of
 * the false ones a number, a name, a sign or a negation is changed, so that they stand in no document. `dev` and `unseen` are halves of the
 * documents by a hash of their names: rules are chosen on `dev` alone. Each verdict that is wrong is listed.
 *
 *     npm run bench -- verify FOLDER [--quotes 500] [--chunks 10000] [--seed 1] [--store FILE]
 *
 * `--store` keeps the store there, and takes the one that is there already.
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    quotes: { type: "string", default: "500" },
    chunks: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    store: { type: "string" }
  }
})
const [root] = positionals
if (root === undefined) throw new Error("usage: npm run bench -- verify FOLDER [--quotes 500]")
const missing = Sentences.missing()
if (missing.length > 0) throw new Error(`install ${missing.join(" and ")}`)
const wanted = Number(given.quotes)

const halfOf = (name: string): "dev" | "unseen" =>
  (createHash("sha256").update(name).digest()[0] ?? 0) % 2 === 0 ? "dev" : "unseen"

const pdfs = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.pdf$/iu.test(name))
  .toSorted()
const documents = pdfs.map((name) => {
  const { sentences, text } = Sentences.read(join(root, name))
  return { name, half: halfOf(name), sentences, text }
})

/** The text without blanks, quotation marks and forms of dashes, by which a false quotation is known to stand nowhere. */
const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[‐‑‒–—−]/gu, "-")
    .replaceAll(/[\s\u00AD"'“”‘’]/gu, "")
/** The text of a store's Markdown, as `bare` has it, without marks that may be markup. */
const words = (text: string): string => bare(text).replaceAll(/[\\*_`#|>•·.-]/gu, "")

const everything = documents.map(({ text }) => bare(text)).join("\n")

interface Quote {
  readonly source: string
  readonly text: string
  readonly original: string
  readonly kind: Alterations.Kind | "true"
}

const shuffled = <A>(random: () => number, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => [random(), one] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, one]) => one)

/** Sentences of a half, documents in turns, so that a long one has no more than others while they have some. */
const drawn = (half: string, random: () => number): ReadonlyArray<Omit<Quote, "text" | "kind">> => {
  const each = documents
    .filter((document) => document.half === half)
    .map(({ name, sentences }) => shuffled(random, sentences).map((original) => ({ source: name, original })))
  const turns = Math.max(0, ...each.map(({ length }) => length))
  return Array.from({ length: turns }, (_, turn) =>
    shuffled(
      random,
      each.flatMap((all) => all.slice(turn, turn + 1))
    )
  ).flat()
}

const quotesOf = (half: string): { readonly true: ReadonlyArray<Quote>; readonly false: ReadonlyArray<Quote> } => {
  const random = uniform(Number(given.seed) + (half === "dev" ? 0 : 1_000_003))
  const all = drawn(half, random)
  const names = Alterations.namesOf(all.map(({ original }) => original))
  const right = all.slice(0, wanted).map(({ original, source }): Quote => ({
    source,
    original,
    text: Alterations.typeset(random, original),
    kind: "true"
  }))
  const wrong = new Map<string, Quote>()
  // A sentence is changed in another way in each round.
  for (const round of Alterations.kinds.keys()) {
    for (const [at, one] of all.entries()) {
      if (wrong.size === wanted) break
      const kind = Alterations.kinds[(at + round) % Alterations.kinds.length] ?? "number"
      const changed = Alterations.altered(random, one.original, kind, names)
      if (changed === undefined || everything.includes(bare(changed))) continue
      wrong.set(changed, { ...one, text: Alterations.typeset(random, changed), kind })
    }
  }
  return { true: right, false: [...wrong.values()] }
}

/** The number of chunks in the store, which is filled with those of the folder and then with synthetic ones unless it is there. */
const filled = (file: string) =>
  Effect.gen(function* () {
    const sink = yield* LibSql.make({ file })
    if (existsSync(file)) return yield* sink.count ?? Effect.succeed(0)
    const corpus = yield* Corpus.make({ to: `libsql:${file}`, state: `${file}.state` })
    yield* corpus.ingest({ root, patterns: ["**/*.pdf"] })
    const own = (yield* corpus.status).stores[0]?.chunks ?? 0
    const synthetic = [...Chunks.batches(Math.max(0, Number(given.chunks) - own), 200)].flat()
    const plain = synthetic.map((chunk) => DocumentChunk.make(Struct.omit(chunk, "embedding")))
    return own + (yield* Stream.run(Stream.fromIterable(plain), ChunkSink.toSink(sink)))
  }).pipe(Effect.scoped)

interface Check {
  readonly quote: Quote
  readonly verdict: Verification.Verdict
  readonly ms: number
  readonly cpuMs: number
}

const checked = (quotes: ReadonlyArray<Quote>, corpus: Corpus.Corpus.Service) =>
  Effect.forEach(quotes, (quote) =>
    Effect.gen(function* () {
      const before = process.cpuUsage()
      const [took, verdict] = yield* Effect.timed(Verification.verify(quote.text, corpus))
      const { system, user } = process.cpuUsage(before)
      return { quote, verdict, ms: Duration.toMillis(took), cpuMs: (system + user) / 1000 } satisfies Check
    })
  )

/** The texts of the documents in the store, by which it is known whether a quotation can stand there: our extractor read it as others do. */
const stored = (file: string) =>
  Effect.gen(function* () {
    const sink = yield* LibSql.make({ file })
    const texts = new Map<string, Map<number, string>>()
    yield* Stream.runForEach(sink.contents ?? Stream.empty, ({ index, source, text }) =>
      Effect.sync(() => texts.set(source, (texts.get(source) ?? new Map<number, string>()).set(index, text)))
    )
    return new Map(
      [...texts].map(([source, parts]) => [
        source,
        words(
          [...parts]
            .toSorted(([left], [right]) => left - right)
            .map(([, text]) => text)
            .join("\n")
        )
      ])
    )
  }).pipe(Effect.scoped)

const quantile = (all: ReadonlyArray<number>, share: number): number =>
  Number((all.toSorted((left, right) => left - right)[Math.ceil(share * all.length) - 1] ?? 0).toFixed(1))

const times = (all: ReadonlyArray<number>) => ({
  median: quantile(all, 0.5),
  p95: quantile(all, 0.95),
  most: quantile(all, 1)
})

const summary = (checks: ReadonlyArray<Check>, texts: ReadonlyMap<string, string>) => {
  const standing = (some: ReadonlyArray<Check>, stands: Verification.Verdict["stands"]) =>
    some.filter(({ verdict }) => verdict.stands === stands)
  const isStored = ({ quote }: Check) => texts.get(quote.source)?.includes(words(quote.original)) === true
  const isElsewhere = ({ quote, verdict }: Check) => !verdict.places.some(({ source }) => source === quote.source)
  const right = checks.filter(({ quote }) => quote.kind === "true")
  const wrong = checks.filter(({ quote }) => quote.kind !== "true")
  const accepted = standing(right, "exact")
  const kinds = Alterations.kinds.map((kind) => [kind, wrong.filter(({ quote }) => quote.kind === kind).length])
  const told = (check: Check) => {
    const { kind, source, text } = check.quote
    const { places, stands } = check.verdict
    return { kind, source, text, stands, stored: isStored(check), differences: places[0]?.differences ?? [] }
  }
  return {
    true: {
      quotes: right.length,
      accepted: accepted.length,
      stored: right.filter(isStored).length,
      acceptedOfStored: accepted.filter(isStored).length,
      elsewhere: accepted.filter(isElsewhere).length,
      close: standing(right, "close").length
    },
    false: {
      quotes: wrong.length,
      accepted: standing(wrong, "exact").length,
      close: standing(wrong, "close").length,
      kinds: Object.fromEntries(kinds)
    },
    ms: times(checks.map(({ ms }) => ms)),
    cpuMs: times(checks.map(({ cpuMs }) => cpuMs)),
    refused: right.filter(({ verdict }) => verdict.stands !== "exact").map(told),
    taken: standing(wrong, "exact").map(told)
  }
}

const folder = mkdtempSync(join(tmpdir(), "docsluice-verify-"))
try {
  const file = given.store ?? join(folder, "store.db")
  const program = Effect.gen(function* () {
    const chunks = yield* filled(file)
    const corpus = yield* Corpus.make({ to: `libsql:${file}`, state: `${file}.state` })
    const texts = yield* stored(file)
    const halves: Record<string, unknown> = {}
    for (const half of ["dev", "unseen"]) {
      const quotes = quotesOf(half)
      // The first calls of a process load and compile.
      yield* checked(quotes.true.slice(0, 20), corpus)
      const checks = yield* checked(shuffled(uniform(7), [...quotes.true, ...quotes.false]), corpus)
      halves[half] = { documents: new Set(quotes.true.map(({ source }) => source)).size, ...summary(checks, texts) }
    }
    return { chunks, halves }
  })
  const result = await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(JSON.stringify({ bench: "verify", ...result, machine }, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
