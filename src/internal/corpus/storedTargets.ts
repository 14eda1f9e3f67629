import type * as FileSystem from "@effect/platform/FileSystem"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import { type Message, option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import { asItIs } from "../sink/asItIs.ts"
import * as Generations from "../sink/generations.ts"
import * as Address from "../target/address.ts"
import * as Secret from "../target/secret.ts"
import * as SinkTarget from "../target/sinkTarget.ts"
import * as Description from "./description.ts"

/** The last run; none when none was recorded, and for one with parts that only its program has. */
export const lastRun: Effect.Effect<
  Option.Option<Description.Recorded>,
  OptionError | LedgerError,
  Ledger
> = Effect.gen(function* () {
  const last = yield* Effect.flatMap(Ledger, (ledger) => ledger.lastRun)
  if (Option.isNone(last) || last.value.request === "") return Option.none()
  const recorded = yield* Description.decode(last.value.request)
  return recorded.kept.alive.length === 0 ? Option.some(recorded) : Option.none()
})

/** A recorded run, with the text that the ledger keeps of it and the digest of that. */
export interface Told {
  readonly digest: string
  readonly text: string
  readonly recorded: Description.Recorded
}

/** Recorded runs, the latest first; without those that a later version wrote, or a program in words of its own. */
export const told: Effect.Effect<ReadonlyArray<Told>, LedgerError, Ledger> = Effect.gen(function* () {
  const requests = yield* Effect.flatMap(Ledger, (ledger) => ledger.requests)
  return requests.flatMap(({ digest, text }) =>
    Either.match(Description.decode(text), { onLeft: () => [], onRight: (recorded) => [{ digest, text, recorded }] })
  )
})

/**
 * Targets of the last run, those given now, and all sinks that hold documents: local ones by their ids, servers by the request of the
 * latest run that wrote to them. A target whose address held a credential must be among those given now.
 */
export const all = (
  given: ReadonlyArray<string>,
  run: Option.Option<Description.Recorded>
): Effect.Effect<ReadonlyArray<SinkTarget.SinkTarget>, OptionError | LedgerError, Ledger | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const now = yield* Effect.forEach(given, parse)
    const inUse = yield* Effect.flatMap(Ledger, (ledger) => ledger.sinks)
    const runs = yield* told
    const servers = inUse.flatMap(({ sink }) => (SinkTarget.spellingOf(sink) === null ? addressOf(sink, runs) : []))
    const last = Option.match(run, { onNone: () => [], onSome: Description.targetsOf })
    const addressed = Array.dedupeWith([...last, ...servers], (left, right) => left.address === right.address)
    const recorded = yield* credited(given, addressed)
    const spellings = inUse.flatMap(({ sink }) => SinkTarget.spellingOf(sink) ?? [])
    const local = yield* Effect.forEach(spellings, parse)
    const targets = [...now, ...recorded, ...local]
    return targets.filter(({ kept }, at) => targets.findIndex((other) => other.kept.address === kept.address) === at)
  })

const parse = (spelling: string) =>
  Effect.flatMap(Secret.environment, (environment) => SinkTarget.parse(spelling, environment))

/** Address in the latest run that wrote to the sink; empty when no such run is recorded. */
const addressOf = (sink: string, runs: ReadonlyArray<Told>): ReadonlyArray<Description.KeptTarget> =>
  runs
    .flatMap(({ recorded }) => Description.targetsOf(recorded))
    .filter((kept) => kept.sink === Generations.targetOf(sink))
    .slice(0, 1)

/** The recorded targets with their credentials, taken from the given targets and from the environment. */
export const credited = (
  given: ReadonlyArray<string>,
  recorded: ReadonlyArray<Address.Kept>
): Effect.Effect<ReadonlyArray<SinkTarget.SinkTarget>, OptionError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const now = yield* Effect.forEach(given, parse)
    const [missing, targets] = Array.separate(yield* Effect.forEach(recorded, (kept) => again(now, kept)))
    return missing.length === 0
      ? targets
      : yield* new OptionError({
          option: null,
          ...problem(text`give ${missing.flatMap((one, at) => text`${at === 0 ? "" : ", "}${one}`)}, which is not kept`)
        })
  })

/** The target, or a description of the credential that has to be given. */
const again = (
  given: ReadonlyArray<SinkTarget.SinkTarget>,
  { address, credential }: Address.Kept
): Effect.Effect<Either.Either<SinkTarget.SinkTarget, Message>, OptionError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const own = given.find(({ kept }) => Address.same(kept.address, address))
    const target = own ?? (yield* parse(address))
    const inAddress = own !== undefined && target.variable === null
    if (!credential || target.kept.credential || inAddress) return Either.right(target)
    return Either.left(
      target.variable === null
        ? text`${option("to")} ${address} again with its credential`
        : `${target.variable} for ${address} again`
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
