/** The sinks that a state knows of, for the commands that are not told: `doctor`, `remove`, `retry`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Ledger, type LedgerError } from "../Ledger.ts"
import * as Address from "./Address.ts"
import * as RunRequest from "./RunRequest.ts"
import * as SinkTarget from "./SinkTarget.ts"
import { UsageError } from "./UsageError.ts"

/** What the last run was asked; none when none was recorded. */
export const lastRequest: Effect.Effect<
  Option.Option<RunRequest.RunRequest>,
  UsageError | LedgerError,
  Ledger
> = Effect.flatMap(Ledger, (ledger) =>
  Effect.flatMap(ledger.lastRun, (run) =>
    Option.match(run, {
      onNone: () => Effect.succeedNone,
      onSome: ({ request }) => (request === "" ? Effect.succeedNone : Effect.asSome(RunRequest.decode(request)))
    })
  )
)

/**
 * Targets of the last run, those given now, and local ones that documents are in. An address that held a credential must be
 * among those given now.
 */
export const all = (
  given: ReadonlyArray<string>,
  request: Option.Option<RunRequest.RunRequest>
): Effect.Effect<ReadonlyArray<SinkTarget.SinkTarget>, UsageError | LedgerError, Ledger> =>
  Effect.gen(function* () {
    const recorded = yield* ofRequest(given, Option.match(request, { onNone: () => [], onSome: ({ to }) => to }))
    const inUse = yield* Effect.flatMap(Ledger, (ledger) => ledger.sinks)
    const local = inUse.map(({ sink }) => sink).filter(Address.isLocal)
    return yield* Effect.forEach([...new Set([...given, ...recorded, ...local])], SinkTarget.parse)
  })

/** Spellings with their credentials, taken from those given now. */
export const ofRequest = (
  given: ReadonlyArray<string>,
  recorded: RunRequest.RunRequest["to"]
): Effect.Effect<ReadonlyArray<string>, UsageError> =>
  Effect.suspend(() => {
    const addresses = new Map(given.map((spelling) => [Address.target(spelling).address, spelling]))
    const missing = recorded.filter(({ address, credential }) => credential && !addresses.has(address))
    return missing.length > 0
      ? new UsageError({
          problem: `give ${missing.map(({ address }) => `--to ${address}`).join(", ")} again with its credential, which is not kept`
        })
      : Effect.succeed(recorded.map(({ address }) => addresses.get(address) ?? address))
  })

/** Opens them, each once: two spellings may name one sink. */
export const open = (targets: ReadonlyArray<SinkTarget.SinkTarget>) =>
  Effect.map(
    Effect.forEach(targets, (target) => target.open),
    (sinks) => sinks.filter((sink, at) => sinks.findIndex(({ id }) => id === sink.id) === at)
  )
