/** A target as `inspect` shows it: its stamp, and what a claim permits to do with it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import type { Claim, Found, Store, StoreStamp } from "./contract.ts"
import * as Ownership from "./ownership.ts"
import { SinkError } from "./sinkError.ts"
import type { EmbeddingSpace } from "./space.ts"
import * as Stamps from "./stamp.ts"

const unreadable = "its stamp is not one that this version reads; nothing was changed: name another target"

const noStamp: StoreStamp = { format: 2, storeId: "none", space: null, owner: null, shared: false, roots: {} }

const absent: Found = { _tag: "Absent" }

/** Decisions about a target; each call inspects it again. */
export interface Target {
  /** None for a missing store and for one without a stamp. */
  readonly stamp: Effect.Effect<Option.Option<StoreStamp>, SinkError>
  /** The store that `prepare` with the claim would open, with its own space; none for a missing one. */
  readonly look: (claim: Claim | undefined) => Effect.Effect<Option.Option<Store>, SinkError>
  /** The plan that the claim permits for what was found; fails with `Mismatch` when it permits none. */
  readonly decide: (
    found: Found,
    claim: Claim | undefined,
    space: EmbeddingSpace | null
  ) => Effect.Effect<Ownership.Plan, SinkError>
  /** The stamp with which a store is read; a store that lost its stamp is read as chunks without vectors. */
  readonly readable: Effect.Effect<StoreStamp, SinkError>
  /** Empties the target if the claim permits it; false for a shared store, which must be opened first. */
  readonly rebuild: (
    claim: Claim,
    emptied: Effect.Effect<void, SinkError> | undefined
  ) => Effect.Effect<boolean, SinkError>
  /** Fails for a target without a stamp of this package, unless it is absent or empty. */
  readonly clearable: Effect.Effect<void, SinkError>
}

/** `inspect` is undefined for a sink that keeps no stamp. */
export const targetOf = (sink: string, inspect: Effect.Effect<Found, SinkError> | undefined): Target => {
  const mismatch = (problem: string) => new SinkError({ sink, reason: "Mismatch", problem })
  const inspected = inspect ?? Effect.succeed(absent)

  const stampOf = (found: Found): Effect.Effect<StoreStamp | null, SinkError> => {
    if (found._tag === "Foreign") return refused(sink, found)
    if (found._tag !== "Stamped") return Effect.succeed(null)
    return Effect.mapError(Stamps.decode(found.stamp), () => mismatch(unreadable))
  }
  const decide: Target["decide"] = Effect.fnUntraced(function* (found, claim, space) {
    const content = yield* contentOf(found, claim)
    const decided = Ownership.decide({ content, claimant: claim ?? null, space, fresh: yield* Stamps.freshId })
    if (decided._tag === "Plan") return decided
    const { problem, spaces } = decided
    return yield* new SinkError({ sink, reason: "Mismatch", ...Message.problem(problem), ...(spaces && { spaces }) })
  })
  /** As `decide`, in the space that the store has. */
  const decideAsStamped = Effect.fnUntraced(function* (found: Found, claim: Claim | undefined) {
    const stamp = yield* stampOf(found)
    return { stamp, plan: yield* decide(found, claim, stamp?.space ?? null) }
  })

  return {
    decide,
    stamp: Effect.map(Effect.flatMap(inspected, stampOf), Option.fromNullable),
    look: (claim) =>
      Effect.flatMap(inspected, (found) =>
        found._tag === "Absent"
          ? Effect.succeedNone
          : Effect.map(decideAsStamped(found, claim), ({ plan }) => Option.some(storeOf(plan, claim)))
      ),
    readable: Effect.flatMap(inspected, (found) =>
      Effect.flatMap(stampOf(found), (stamp) =>
        stamp === null && (found._tag !== "Unstamped" || found.chunks.length === 0)
          ? mismatch("there is no store; ingest makes it")
          : Effect.succeed(stamp ?? noStamp)
      )
    ),
    rebuild: Effect.fnUntraced(function* (claim, emptied) {
      if (inspect !== undefined) {
        const found = yield* inspect
        if (found._tag === "Absent" || (found._tag === "Unstamped" && found.chunks.length === 0)) return true
        const { plan, stamp } = yield* decideAsStamped(found, claim)
        if (plan.stamp.shared && stamp?.shared === true) return false
      }
      if (emptied === undefined) {
        return yield* new SinkError({
          sink,
          reason: "Unsupported",
          ...Message.problem(text`this sink does not support ${option("rebuild")}; delete its data yourself`)
        })
      }
      yield* emptied
      return true
    }),
    clearable: Effect.flatMap(inspected, (found) =>
      found._tag === "Unstamped" && found.chunks.length > 0
        ? mismatch("no stamp says that it is ours; nothing was changed")
        : Effect.asVoid(stampOf(found))
    )
  }
}

/** The failure of a target that the sink must not touch. */
export const refused = (sink: string, found: Extract<Found, { _tag: "Foreign" }>): SinkError =>
  new SinkError({
    sink,
    reason: found.tenants === true ? "Rejected" : "Mismatch",
    ...Message.problem(Ownership.problemOf(found))
  })

const contentOf = Effect.fnUntraced(function* (
  found: Found,
  claim: Claim | undefined
): Effect.fn.Return<Ownership.Content, SinkError> {
  if (found._tag === "Unstamped") {
    const empty = found.chunks.length === 0
    const known = !empty && claim !== undefined && (yield* claim.knows(found.chunks))
    return { _tag: "Unstamped", empty, known, vectors: found.vectors === true }
  }
  if (found._tag !== "Stamped") return found
  const stamp = Option.getOrNull(Stamps.decode(found.stamp))
  return stamp === null ? { _tag: "Foreign", problem: unreadable } : { ...found, stamp }
})

/** The store that a plan opens; `plan` is null for a sink that keeps no stamp. */
export const storeOf = (plan: Ownership.Plan | null, claim: Claim | undefined): Store => {
  if (plan === null) return unstamped
  const { adopted, compare, stamp } = plan
  return {
    storeId: Option.some(stamp.storeId),
    stamp: Option.some(stamp),
    compare,
    adopted,
    isOthers: Ownership.isOthers(stamp, claim?.state ?? null)
  }
}

/**
 * The store of a sink that keeps no stamp: it has no id, and nobody owns it.
 *
 * @since 0.1.0
 * @category models
 */
export const unstamped: Store = {
  storeId: Option.none(),
  stamp: Option.none(),
  compare: false,
  adopted: false,
  isOthers: () => false
}
