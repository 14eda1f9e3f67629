/** `docsluice plan`: predicts the work and cost of `ingest` with the same flags. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SinkError } from "../ChunkSink.ts"
import * as EmbeddingCache from "../EmbeddingCache.ts"
import { counted, grouped, tallies } from "../internal/base/figures.ts"
import * as PageCounter from "../internal/base/pageCounter.ts"
import * as Ingestion from "../internal/corpus/ingestion.ts"
import type { Target } from "../internal/corpus/means.ts"
import { serving } from "../internal/sink/generations.ts"
import * as Http from "../internal/target/http.ts"
import * as Plan from "../Plan.ts"
import * as Columns from "./Columns.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as LeftOut from "./LeftOut.ts"
import * as Line from "./Line.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import { type RunFlags, takes } from "./RunFlags.ts"
import * as State from "./State.ts"
import * as Table from "./Table.ts"
import { Terminal } from "./Terminal.ts"
import * as Words from "./Words.ts"

const about: Command.Description = {
  name: "plan",
  summary: "what ingest would do and cost; sends and writes nothing",
  description: "Predicts the work and cost of ingest with the same flags; sends and writes nothing.",
  exits: "0 done, 1 nothing to show, 2 could not, 64 wrong usage",
  examples: ["docsluice plan docs --to jsonl:chunks.jsonl"]
}

const plan = Effect.fnUntraced(function* (given: RunFlags) {
  const terminal = yield* Terminal
  const setup = yield* Run.setUp(given, "ingest")
  const memory = given.noState ? State.empty : State.readOnly(given.state)
  const made = yield* Effect.map(planned(setup, given.rebuild), Words.ofPlan).pipe(
    Ingestion.provided(setup.means),
    Effect.provide(Layer.mergeAll(PageCounter.layer, Http.layer, memory))
  )
  yield* terminal.result(given.json ? JSON.stringify(Schema.encodeSync(Plan.Plan)(made)) : text(made, terminal.width))
  yield* ExitStatus.set(made.files.length === 0 ? 1 : 0)
})

const planned = ({ files, how, means }: Run.Setup, rebuild: boolean) =>
  Effect.gen(function* () {
    const { allowRemovals, mode, newRoot, rechunk, redo, verify } = how
    // Nothing is asked of it but its digest.
    const embedder = yield* means.embedder(EmbeddingCache.layerMemory())
    return yield* Plan.make({
      source: files.source,
      chunker: means.chunker,
      sinks: yield* Effect.forEach(means.targets, (target) => storeOf(target, rebuild)),
      embedder: embedder?.digest ?? null,
      mode,
      allowRemovals,
      newRoot,
      verify,
      rechunk,
      redo
    })
  })

/**
 * State of a target without preparing it, since that would write to it: a target that does not exist holds nothing, for others the ledger
 * is believed.
 */
const storeOf = (target: Target<SinkError>, rebuild: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const sink = yield* target.open
    // A server that cannot be reached is believed, too.
    const { id } = yield* Effect.orElseSucceed(serving(sink), () => sink)
    const { place } = target
    const there = id !== sink.id || place === null || (yield* Effect.orElseSucceed(fs.exists(place), () => false))
    return { sink: id, store: there && !rebuild ? undefined : "none" }
  })

const shown = 20

const columns: ReadonlyArray<Table.Column> = [
  { title: "file", kind: "path" },
  { title: "action" },
  { title: "pages", kind: "number" },
  { title: "why" }
]

/** Reasons, each once, in the order of the files; a table refers to them by number, since they are long. */
const reasonsOf = (files: Plan.Plan["files"]): ReadonlyArray<string> => [
  ...new Set(files.flatMap(({ reason, source }) => (reason === undefined ? [] : [Report.without(source, reason)])))
]

const actions = (plan: Plan.Plan): string => {
  const of = (wanted: Plan.Plan["files"][number]["action"]) =>
    plan.files.filter(({ action }) => action === wanted).length
  const all = tallies([
    [plan.new, "new"],
    [plan.changed, "changed"],
    [plan.unchanged, "unchanged"],
    [plan.removed, "to remove"],
    [plan.tooLarge, "too large"],
    [of("failed"), "failed"],
    [of("kept"), "kept"],
    [plan.unsupported, "of unsupported types"]
  ])
  return `${counted(plan.files.length, "file")}${all.length === 0 ? "" : `: ${all.join(", ")}`}`
}

const text = (plan: Plan.Plan, width: number): ReadonlyArray<Line.Line> => {
  const about = (figure: (typeof plan.estimated)[number], noun: string): string =>
    `${plan.estimated.includes(figure) ? "about " : ""}${counted(plan[figure], noun)}`
  const credits = plan.credits === 0 ? [] : [about("credits", "credit")]
  const cost = [about("pages", "page"), ...credits, about("tokens", "token")].join(", ")
  const cached = plan.fromCache === 0 ? "" : `; ${counted(plan.fromCache, "document")} from the cache`
  const files = plan.files.filter(({ action }) => action !== "unchanged" && action !== "unsupported")
  const reasons = reasonsOf(files.slice(0, shown))
  const rows = files
    .slice(0, shown)
    .map(({ action, pages, reason, source }): Table.Row => [
      source,
      action === "failed" ? Line.bad(action) : action,
      pages === undefined ? "" : String(pages),
      reason === undefined ? "" : `(${reasons.indexOf(Report.without(source, reason)) + 1})`
    ])
  return [
    ...Columns.wrap(actions(plan), width, 2),
    ...LeftOut.lines(plan.unsupportedTypes).flatMap((line) => Columns.wrap(line, width, 2)),
    ...Columns.wrap(`cost: ${cost}${cached}`, width, 2),
    ...(rows.length === 0 ? [] : ["", ...Table.lines(columns, rows, width)]),
    ...(files.length > shown ? [`and ${grouped(files.length - shown)} more (--json has them all)`] : []),
    ...(reasons.length === 0 ? [] : [""]),
    ...reasons.flatMap((reason, at) => Columns.wrap(`(${at + 1}) ${reason}`, width, 4))
  ]
}

export const command = Command.make(about, takes, plan)
