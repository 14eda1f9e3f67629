/** `docsluice doctor`: the ledger against every sink that can list. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as OcrInstall from "../engine/ocr/OcrInstall.ts"
import * as OcrPackages from "../engine/ocr/OcrPackages.ts"
import { grouped } from "../internal/base/figures.ts"
import { Description, encode, Recorded, rootName, sourceOptions } from "../internal/corpus/description.ts"
import * as StoredTargets from "../internal/corpus/storedTargets.ts"
import * as Doctor from "../internal/run/examine.ts"
import type { LedgerEntry } from "../internal/state/ledger/entry.ts"
import * as ChunkerTarget from "../internal/target/chunkerTarget.ts"
import * as SourceTarget from "../internal/target/sourceTarget.ts"
import { ParseCache, typeOf } from "../ParseCache.ts"
import * as Columns from "./Columns.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import * as Line from "./Line.ts"
import * as Repetition from "./Repetition.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import * as Shell from "./Shell.ts"
import * as State from "./State.ts"
import * as Table from "./Table.ts"
import { Terminal } from "./Terminal.ts"

const takes = {
  fix: flags.fix,
  to: flags.to,
  state: flags.state,
  json: flags.json,
  quiet: flags.quiet
}

const about: Command.Description = {
  name: "doctor",
  summary: "compare the stores with the state; --fix mends them",
  description:
    "Compares the ledger with every sink that can list, and texts with their ids; changes nothing. With --fix, chunks that are extra or stale go, and documents that are missing are written again from the cache, texts from their files; what is not in the cache the next ingest writes.",
  exits: "0 all agree, 1 differences found (fixed or not), 2 a sink or the state is unreadable, 64 wrong usage",
  examples: ["docsluice doctor --fix"]
}

export const command = Command.make(about, takes, (given) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    yield* State.required(given.state)
    const { findings, left } = yield* given.fix ? fixed(given) : examined(given, false)
    yield* terminal.result(
      given.json
        ? JSON.stringify(Schema.encodeSync(Schema.Array(Doctor.Finding))(findings))
        : text(findings, given, terminal.width)
    )
    if (left > 0) {
      const missing = left === 1 ? "document is missing still" : "documents are missing still"
      yield* terminal.note(`${left} ${missing}: the next ingest writes ${left === 1 ? "it" : "them"}`)
    }
    if (!given.json) yield* terminal.note(yield* ocr)
    yield* ExitStatus.set(findings.every(Doctor.agrees) ? 0 : 1)
  })
)

/** The languages in which scans are read on this machine, or the command that installs the packages. */
const ocr = Effect.sync(() => {
  const packages = OcrPackages.find(import.meta.url)
  return packages === undefined
    ? `OCR: not installed, scans are not read; ${OcrInstall.command()}`
    : `OCR: tesseract.js ${packages.version}, ${Object.keys(packages.languages).join(", ")}`
})

interface Given {
  readonly to: ReadonlyArray<string>
  readonly state: string
  readonly json: boolean
  readonly quiet: boolean
}

interface Examined {
  readonly findings: ReadonlyArray<Doctor.Finding>
  /** Number of documents missing in some sink, which the next ingest writes. */
  readonly left: number
  readonly run: Option.Option<Recorded>
  /** Paths below the last run's root that are missing in some sink and that can be written without calling the service. */
  readonly cached: ReadonlyArray<string>
}

/** Opens state and targets, and closes them again. */
const examined = (given: Given, fix: boolean) =>
  Effect.gen(function* () {
    const run = yield* StoredTargets.lastRun
    const targets = yield* StoredTargets.all(given.to, run)
    const sinks = yield* StoredTargets.open(targets)
    const missing = new Map<string, LedgerEntry>()
    const findings = yield* Doctor.examine({
      sinks,
      space: Option.match(run, { onNone: () => null, onSome: ({ kept }) => kept.space }),
      former: Option.exists(run, ({ run: { mode } }) => mode === "append") ? "keep" : "remove",
      fix,
      texts: Option.getOrUndefined(yield* Effect.transposeOption(Option.map(run, textsOf))),
      onMissing: (entry) => missing.set(entry.documentId, entry)
    })
    const root = Option.map(run, (recorded) => rootName(recorded.run))
    const own = [...missing.values()].filter((entry) => Option.contains(root, entry.root))
    const cached = yield* Effect.filter(own, atHand)
    const examined: Examined = { findings, left: missing.size, run, cached: cached.map(({ path }) => path) }
    return examined
  }).pipe(
    Effect.scoped,
    Effect.provide(fix ? Layer.merge(State.ledger(given.state), State.cache(given.state)) : State.readOnly(given.state))
  )

/** Chunker and tokenizer of the last run. */
const textsOf = ({ run: { chunker = { kind: "auto" }, tokenizer = "o200k_base" } }: Recorded) =>
  Effect.map(ChunkerTarget.make(chunker), (made) => ({ chunker: made, tokenizer: { name: tokenizer } }))

/** True for a document that can be written without calling the service: its answer is cached, or its file is read on this machine. */
const atHand = ({ path, stored }: LedgerEntry) =>
  Effect.gen(function* () {
    const type = typeOf(path)
    if (stored === null) return false
    if (Option.isNone(type)) return true
    const { contentHash, identity, optionsHash } = stored
    const cache = yield* ParseCache
    return Option.isSome(yield* cache.createdAt({ contentHash, optionsHash, identity, type: type.value }))
  })

/** Removes extra and stale chunks, writes missing documents from the cache, and examines the sinks again. */
const fixed = (given: Given) =>
  Effect.gen(function* () {
    const first = yield* examined(given, true)
    if (Option.isNone(first.run) || first.cached.length === 0) return first
    yield* written(given, first.run.value, first.cached)
    const after = yield* examined(given, false)
    const findings = first.findings.map((finding) => {
      const still = after.findings.find(({ sink }) => sink === finding.sink)?.missing ?? finding.missing
      return Doctor.Finding.make({ ...finding, fixed: finding.fixed + Math.max(0, finding.missing - still) })
    })
    return { ...after, findings }
  })

/** Writes documents from the cache without calling the service: a document that would have to be parsed ends the run. */
const written = (given: Given, recorded: Recorded, only: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const secrets = { ...recorded.kept.secrets, service: false, headers: false }
    const embedded = Recorded.make({
      ...recorded,
      run: Description.make({ ...recorded.run, service: "embedded" }),
      kept: { ...recorded.kept, secrets }
    })
    const told = { ...given, apiKey: Option.none(), parseOptions: Option.none() }
    const options = sourceOptions(recorded.run)
    const { scope } = SourceTarget.open(options)
    const run = { digest: "", text: encode(recorded), recorded: embedded }
    const setup = yield* Repetition.ofBatch({ run, scope, options, sources: only }, told)
    yield* Run.pass({ ...setup, how: { ...setup.how, budget: { pages: 0, credits: 0 } } })
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) => Effect.flatMap(Terminal, ({ note }) => note(error.message)))
  )

const columns: ReadonlyArray<Table.Column> = [
  { title: "store", kind: "path" },
  { title: "documents", kind: "number" },
  { title: "missing", kind: "number" },
  { title: "extra", kind: "number" },
  { title: "stale", kind: "number" },
  { title: "fixed", kind: "number" },
  { title: "others", kind: "number" }
]

/** A difference stands out; the columns of chunks and of other states are left out where they say nothing. */
const row = (finding: Doctor.Finding): Table.Row => {
  const differs = (number: number) =>
    number === 0 || Doctor.agrees(finding) ? grouped(number) : Line.bad(grouped(number))
  const some = (number: number) => (number === 0 ? "" : grouped(number))
  return [
    finding.standing === undefined ? finding.sink : `${finding.sink} (${finding.standing})`,
    grouped(finding.documents),
    differs(finding.missing),
    differs(finding.extra),
    differs(finding.stale),
    some(finding.fixed),
    some(finding.others)
  ]
}

const text = (
  findings: ReadonlyArray<Doctor.Finding>,
  { fix, state }: Given & { readonly fix: boolean },
  width: number
): ReadonlyArray<Line.Line> => {
  if (findings.length === 0) return ["no store that can list"]
  const agree = findings.every(Doctor.agrees)
  const verdict = agree
    ? "every store holds what the ledger says"
    : "stores differ from the ledger: documents are missing, or chunks are extra or stale"
  return [
    ...Columns.wrap(verdict, width, 2),
    "",
    ...Table.lines(columns, findings.map(row), width),
    ...(agree || fix ? [] : ["", ...Report.nextLines({ command: `${Shell.ofState("doctor", state)} --fix` }, width)])
  ]
}
