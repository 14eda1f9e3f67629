/** Two sinks as one: see `ChunkSink.tee`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Claim, Prepared, Service, Store, StoreStamp } from "./contract.ts"
import type { SinkError } from "./sinkError.ts"

export const pair = (left: Service, right: Service): Service => {
  const [a, b] = [left.capabilities, right.capabilities]
  const { contents, count, list, look, ofTenant, range, search, stamp } = left
  const { look: lookRight, stamp: stampRight } = right
  const stamps = stamp && stampRight && both(stamp, stampRight)
  return {
    id: joined(left.id, right.id),
    name: `${left.name}+${right.name}`,
    capabilities: {
      remove: a.remove && b.remove,
      replace: a.replace && b.replace,
      list: a.list,
      search: a.search,
      filter: a.filter,
      ...(a.terms === true && { terms: true }),
      stamp: stamps !== undefined
    },
    limits: {
      maxCount: Math.min(left.limits.maxCount, right.limits.maxCount),
      maxBytes: Math.min(left.limits.maxBytes, right.limits.maxBytes)
    },
    prepare: (space, claim) =>
      Effect.map(
        Effect.all([left.prepare(space, part(claim, 0)), right.prepare(space, part(claim, 1))]),
        ([one, other]) => bothPrepared(one, other)
      ),
    ...(look &&
      lookRight && {
        look: (claim) =>
          Effect.map(both(look(part(claim, 0)), lookRight(part(claim, 1))), ([one, other]) =>
            Option.zipWith(one, other, bothStores)
          )
      }),
    ...(stamps && { stamp: Effect.map(stamps, ([one, other]) => Option.zipWith(one, other, bothStamps)) }),
    ...(list && { list }),
    ...(contents && { contents }),
    ...(count && { count }),
    ...(search && { search }),
    ...(range && { range }),
    ...(ofTenant && { ofTenant }),
    ...(left.clear && right.clear && { clear: Effect.asVoid(both(left.clear, right.clear)) })
  }
}

const both = <A>(
  left: Effect.Effect<A, SinkError>,
  right: Effect.Effect<A, SinkError>
): Effect.Effect<[A, A], SinkError> => Effect.all([left, right], { concurrency: 2 })

const bothStamps = (left: StoreStamp, right: StoreStamp): StoreStamp => ({
  ...left,
  storeId: joined(left.storeId, right.storeId),
  shared: left.shared || right.shared
})

const bothStores = (left: Store, right: Store): Store => ({
  storeId: Option.zipWith(left.storeId, right.storeId, joined),
  stamp: Option.zipWith(left.stamp, right.stamp, bothStamps),
  compare: left.compare || right.compare,
  adopted: left.adopted && right.adopted,
  isOthers: (documentId) => left.isOthers(documentId) || right.isOthers(documentId)
})

const bothPrepared = (left: Prepared, right: Prepared): Prepared => {
  const { remove: removeLeft, replace: replaceLeft, replaceAll: replaceAllLeft } = left
  const { remove: removeRight, replace: replaceRight, replaceAll: replaceAllRight } = right
  const done = (one: Effect.Effect<void, SinkError>, other: Effect.Effect<void, SinkError>) =>
    Effect.asVoid(both(one, other))
  return {
    ...bothStores(left, right),
    write: (batch) => done(left.write(batch), right.write(batch)),
    ...(removeLeft && removeRight && { remove: (ids) => done(removeLeft(ids), removeRight(ids)) }),
    ...(replaceLeft &&
      replaceRight && {
        replace: (documentId, chunks) => done(replaceLeft(documentId, chunks), replaceRight(documentId, chunks))
      }),
    ...(replaceAllLeft &&
      replaceAllRight && {
        replaceAll: (documents) => done(replaceAllLeft(documents), replaceAllRight(documents))
      }),
    finish: done(left.finish, right.finish)
  }
}

/** Two ids as one, from which {@link sides} gives them back, whatever characters they have. */
const joined = (left: string, right: string): string => `${escaped(left)}+${escaped(right)}`

const escaped = (id: string): string => id.replaceAll("%", "%25").replaceAll("+", "%2B")

const sides = (id: string): ReadonlyArray<string> =>
  id.split("+").map((side) => side.replaceAll("%2B", "+").replaceAll("%25", "%"))

/** The claim on the left (0) or right (1) sink of a pair, whose store ids are remembered together. */
const part = (claim: Claim | undefined, side: 0 | 1): Claim | undefined =>
  claim && { ...claim, stores: claim.stores.flatMap((store) => sides(store)[side] ?? []) }
