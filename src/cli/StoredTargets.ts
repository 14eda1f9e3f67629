/** Sinks recorded in a state, for the commands that need no `--to`: `doctor`, `remove`, `retry`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isOwn } from "../internal/corpus/request.ts"
import { asItIs } from "../internal/sink/asItIs.ts"
import * as Address from "../internal/target/address.ts"
import { Ledger, type LedgerError } from "../Ledger.ts"
import * as RunRequest from "./RunRequest.ts"
import * as SinkTarget from "./SinkTarget.ts"
import { UsageError } from "./UsageError.ts"

/** Request of the last run; none when none was recorded, and for a run of a program. */
export const lastRequest: Effect.Effect<
  Option.Option<RunRequest.RunRequest>,
  UsageError | LedgerError,
  Ledger
> = Effect.flatMap(Ledger, (ledger) =>
  Effect.flatMap(ledger.lastRun, (run) =>
    Option.match(run, {
      onNone: () => Effect.succeedNone,
      onSome: ({ request }) =>
        request === "" || isOwn(request) ? Effect.succeedNone : Effect.asSome(RunRequest.decode(request))
    })
  )
)

/** Recorded request of a run, with its digest. */
export interface Told {
  readonly digest: string
  readonly request: RunRequest.RunRequest
}

/** Recorded requests, that of the latest run first; without those that a later version or another program wrote. */
export const told: Effect.Effect<ReadonlyArray<Told>, LedgerError, Ledger> = Effect.gen(function* () {
  const ledger = yield* Ledger
  const all = yield* Effect.forEach(yield* ledger.requests, ({ digest, text }) =>
    Effect.option(Effect.map(RunRequest.decode(text), (request) => ({ digest, request })))
  )
  return Array.getSomes(all)
})

/**
 * Targets of the last run, those given now, and all sinks that hold documents: local ones by their ids, servers by the request of the
 * latest run that wrote to them. A target whose address held a credential must be among those given now.
 */
export const all = (
  given: ReadonlyArray<string>,
  request: Option.Option<RunRequest.RunRequest>
): Effect.Effect<ReadonlyArray<SinkTarget.SinkTarget>, UsageError | LedgerError, Ledger | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const now = yield* Effect.forEach(given, (spelling) => SinkTarget.parse(spelling))
    const inUse = yield* Effect.flatMap(Ledger, (ledger) => ledger.sinks)
    const requests = yield* told
    const servers = inUse.flatMap(({ sink }) => (SinkTarget.spellingOf(sink) === null ? addressOf(sink, requests) : []))
    const last = Option.match(request, { onNone: () => [], onSome: ({ to }) => to })
    const addressed = Array.dedupeWith([...last, ...servers], (left, right) => left.address === right.address)
    const recorded = yield* ofRequest(now, addressed)
    const spellings = inUse.flatMap(({ sink }) => SinkTarget.spellingOf(sink) ?? [])
    const local = yield* Effect.forEach(spellings, (spelling) => SinkTarget.parse(spelling))
    const targets = [...now, ...recorded, ...local]
    return targets.filter(({ kept }, at) => targets.findIndex((other) => other.kept.address === kept.address) === at)
  })

/** Address in the request of the latest run that wrote to the sink; empty when no such run is recorded. */
const addressOf = (sink: string, requests: ReadonlyArray<Told>): RunRequest.RunRequest["to"] =>
  requests
    .flatMap(({ request }) => request.to)
    .filter((kept) => kept.sink === sink)
    .slice(0, 1)

/** The recorded targets with their credentials, taken from the given targets and from the environment. */
export const ofRequest = (
  given: ReadonlyArray<SinkTarget.SinkTarget>,
  recorded: RunRequest.RunRequest["to"]
): Effect.Effect<ReadonlyArray<SinkTarget.SinkTarget>, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const [missing, targets] = Array.separate(yield* Effect.forEach(recorded, (kept) => again(given, kept)))
    return missing.length === 0
      ? targets
      : yield* new UsageError({ problem: `give ${missing.join(", ")}, which is not kept` })
  })

/** The target, or a description of the credential that has to be given. */
const again = (
  given: ReadonlyArray<SinkTarget.SinkTarget>,
  { address, credential }: Address.Kept
): Effect.Effect<Either.Either<SinkTarget.SinkTarget, string>, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const own = given.find(({ kept }) => Address.same(kept.address, address))
    const target = own ?? (yield* SinkTarget.parse(address))
    const inAddress = own !== undefined && target.variable === null
    if (!credential || target.kept.credential || inAddress) return Either.right(target)
    return Either.left(
      target.variable === null ? `--to ${address} again with its credential` : `${target.variable} for ${address} again`
    )
  })

/**
 * Opens each target once: two spellings may name one sink. Each is prepared for the vectors that it holds, whatever the last run's were.
 */
export const open = (targets: ReadonlyArray<SinkTarget.SinkTarget>) =>
  Effect.map(
    Effect.forEach(targets, (target) => target.open),
    (sinks) => sinks.filter((sink, at) => sinks.findIndex(({ id }) => id === sink.id) === at).map(asItIs)
  )
