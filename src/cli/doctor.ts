/** `docsluice doctor`: the ledger against every sink that can list. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Doctor from "../Doctor.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import * as flags from "./flags.ts"
import { statusOfSink } from "./Run.ts"
import * as State from "./State.ts"
import * as StoredTargets from "./StoredTargets.ts"
import { Terminal } from "./Terminal.ts"

const config = {
  fix: flags.fix.options,
  to: flags.to.options,
  state: flags.state.options,
  json: flags.json.options,
  quiet: flags.quiet.options
}

export const spellings = [flags.fix, flags.to, flags.state, flags.json, flags.quiet]

export const command = Command.make("doctor", config, (given) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    yield* State.required(given.state)
    const findings = yield* Effect.provide(
      examined(given),
      given.fix ? State.ledger(given.state) : State.ledgerReadOnly(given.state)
    )
    yield* terminal.result(
      given.json ? JSON.stringify(Schema.encodeSync(Schema.Array(Doctor.Finding))(findings)) : text(findings)
    )
    yield* ExitStatus.set(findings.every(Doctor.agrees) ? 0 : 1)
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(status(error))))
  )
).pipe(
  Command.withDescription(
    "Compares the ledger with every sink that can list. With --fix, chunks that are extra or stale go at once, and documents that are missing are written again by the next run, from the cache. Exit status: 0 all agree, 1 differences found (fixed or not), 2 a sink or the state is unreadable, 64 wrong usage. Example: docsluice doctor --fix"
  )
)

const examined = (given: { readonly to: ReadonlyArray<string>; readonly fix: boolean }) =>
  Effect.gen(function* () {
    const request = yield* StoredTargets.lastRequest
    const targets = yield* StoredTargets.all(given.to, request)
    const sinks = yield* StoredTargets.open(targets)
    return yield* Doctor.examine({
      sinks,
      space: Option.match(request, { onNone: () => null, onSome: ({ space }) => space }),
      former: Option.exists(request, ({ mode }) => mode === "append") ? "keep" : "remove",
      fix: given.fix
    })
  })

const status = (error: Effect.Effect.Error<ReturnType<typeof examined>> | State.StateMissing): ExitStatus.Status => {
  if (error._tag === "SinkError") return statusOfSink(error)
  return error._tag === "UsageError" ? 64 : 2
}

const text = (findings: ReadonlyArray<Doctor.Finding>): ReadonlyArray<string> =>
  findings.length === 0
    ? ["no sink that can list"]
    : findings.map((finding) => {
        const others = finding.others === 0 ? "" : `; ${finding.others} documents of others, left alone`
        return Doctor.agrees(finding)
          ? `${finding.sink}: ${finding.documents} documents, all as the ledger says${others}`
          : `${finding.sink}: ${finding.documents} documents, ${finding.missing} missing; chunks: ${finding.extra} extra, ${finding.stale} stale; ${finding.fixed} fixed${others}`
      })
