/** `docsluice plan`: predicts the work and cost of `ingest` with the same flags. */
import * as Command from "@effect/cli/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Discovery from "../Discovery.ts"
import { Embedder } from "../Embedder.ts"
import { Ledger } from "../Ledger.ts"
import * as Parser from "../Parser.ts"
import * as Plan from "../Plan.ts"
import * as Source from "../Source.ts"
import * as EmbedderTarget from "./EmbedderTarget.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { inFlags } from "./InFlags.ts"
import * as LeftOut from "./LeftOut.ts"
import * as Printable from "./Printable.ts"
import * as Run from "./Run.ts"
import { config, type RunFlags } from "./RunFlags.ts"
import type * as SinkTarget from "./SinkTarget.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"

export { spellings } from "./RunFlags.ts"

export const command = Command.make("plan", config, (given) =>
  Effect.scoped(plan(given)).pipe(
    Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(status(error))))
  )
).pipe(
  Command.withDescription(
    "Predicts the work and cost of ingest with the same flags; sends and writes nothing. Exit status: 0 done, 1 nothing to show, 2 could not, 64 wrong usage. Example: docsluice plan docs --to jsonl:chunks.jsonl"
  )
)

const plan = Effect.fnUntraced(function* (given: RunFlags) {
  const terminal = yield* Terminal
  const setup = yield* Run.setUp(given, "ingest")
  const made = yield* Effect.provide(
    Effect.provide(planned(setup), Parser.layer(setup.options)),
    Layer.merge(Run.services(setup), given.noState ? State.empty : State.readOnly(given.state))
  )
  yield* terminal.result(given.json ? JSON.stringify(Schema.encodeSync(Plan.Plan)(made)) : text(made))
  yield* ExitStatus.set(made.files.length === 0 ? 1 : 0)
})

const planned = (setup: Run.Setup) =>
  Effect.gen(function* () {
    const { discovery, embedder, given, targets } = setup
    const ledger = yield* Ledger
    const found = Discovery.folder(discovery)
    return yield* Plan.make({
      source: Source.within(found.scope, Run.unlessKnown(found.files, ledger.claims(found.scope))),
      chunker: setup.chunker,
      sinks: yield* Effect.forEach(targets, (target) => storeOf(target, given.rebuild)),
      embedder: yield* digestOf(embedder),
      mode: given.mode,
      allowRemovals: given.allowRemovals,
      newRoot: given.newRoot,
      verify: given.verify,
      redo: given.refresh ? "parses" : "nothing"
    })
  })

/** Digest of an embedder's target, without a request to it. */
const digestOf = (target: EmbedderTarget.EmbedderTarget) =>
  target._tag === "None"
    ? Effect.succeed(null)
    : Effect.map(Embedder, ({ digest }) => digest).pipe(
        Effect.provide(EmbedderTarget.layer(target, { environment: process.env, cache: null }))
      )

/**
 * State of a target without preparing it, since that would write to it: a target that does not exist holds nothing, for others the ledger
 * is believed.
 */
const storeOf = (target: SinkTarget.SinkTarget, rebuild: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { id } = yield* target.open
    const { place } = target
    const there = place === null || (yield* Effect.orElseSucceed(fs.exists(place), () => false))
    return { sink: id, store: there && !rebuild ? undefined : "none" }
  })

const shown = 20

const text = (plan: Plan.Plan): ReadonlyArray<string> => {
  const about = (figure: (typeof plan.estimated)[number]): string =>
    `${plan.estimated.includes(figure) ? "about " : ""}${plan[figure]} ${figure}`
  const files = plan.files.filter(({ action }) => action !== "unchanged" && action !== "unsupported")
  const width = Math.max(0, ...files.slice(0, shown).map(({ source }) => Printable.line(source).length))
  return [
    `${plan.new} new, ${plan.changed} changed, ${plan.unchanged} unchanged, ${plan.removed} to remove, ${plan.tooLarge} too large, ${plan.unsupported} of unsupported types`,
    ...LeftOut.lines(plan.unsupportedTypes),
    `${about("pages")}, ${about("credits")}, ${about("tokens")}; ${plan.fromCache} from the cache`,
    ...files
      .slice(0, shown)
      .map(({ action, pages, reason, source }) =>
        [
          `  ${Printable.line(source).padEnd(width)}  ${action}`,
          ...(pages === undefined ? [] : [`${pages} pages`]),
          ...(reason === undefined ? [] : [inFlags(reason)])
        ].join(", ")
      ),
    ...(files.length > shown ? [`  and ${files.length - shown} more (--json has them all)`] : [])
  ]
}

type PlanFailure = Effect.Effect.Error<ReturnType<typeof plan>>

const status = (error: PlanFailure): ExitStatus.Status => (error._tag === "ParseCacheError" ? 2 : Run.status(error))
