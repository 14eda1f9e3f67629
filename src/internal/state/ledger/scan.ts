/** A scan of a scope, and a preview of one, over the findings that a row store keeps. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ScopeRequest } from "../../../Source.ts"
import { integer, text } from "../columns.ts"
import { holdingOf } from "./document.ts"
import { paged } from "./paged.ts"
import * as Places from "./places.ts"
import { isBelow, isGone } from "./released.ts"
import type { Claimed, Findings, Previewed, RowStore, Running } from "./rowStore.ts"
import type { Preview, Scan, Unclaimed } from "./runLedger.ts"
import { rows } from "./script.ts"

/** Paths of one statement, and whole documents. */
const perStatement = 2048
const perPage = 256

/**
 * Documents whose files are gone although other scopes claim them, page by page. `released`: only scopes inside this one claim them, whose
 * claims end; the others stay until a discovery of a wider scope.
 */
const goneOf = <E>(
  { read }: Pick<RowStore<E>, "read">,
  { parts = [], path: folder }: ScopeRequest,
  place: Places.Place,
  findings: Findings<E>
): Stream.Stream<{ readonly released: ReadonlyArray<Claimed>; readonly kept: ReadonlyArray<Claimed> }, E> => {
  const whole = parts.flatMap((part) => (part.whole ? [part.path] : []))
  if (folder === null || whole.length === 0) return Stream.empty
  return Stream.unwrap(
    Effect.map(
      read(() => Places.scopesInside(place, whole)),
      (inside) =>
        Stream.mapEffect(Stream.chunks(findings.claimedElsewhere(whole)), (page) => {
          const gone = [...page].filter(
            ({ path }) => whole.some((part) => isBelow(path, part)) && isGone(`${folder}/${path}`)
          )
          const mayGo = ({ scopes }: Claimed) => scopes.every((scope) => inside.has(scope))
          return Effect.as(Effect.yieldNow(), {
            released: gone.filter(mayGo),
            kept: gone.filter((claimed) => !mayGo(claimed))
          })
        })
    )
  )
}

export const scan = <E>(
  store: RowStore<E>,
  request: ScopeRequest,
  bound: Places.Bound,
  running: Running<E>
): Scan<E> => ({
  scope: running.scope,
  documents: running.documents,
  claimed: running.claimed,
  completedAt: bound.completedAt,
  see: running.see,
  vanished: running.vanished,
  release: goneOf(store, request, bound, running).pipe(
    Stream.mapEffect(({ kept, released }) => {
      const ids = released.map(({ id }) => id)
      const ending = ids.length === 0 ? Effect.void : store.write(() => Places.release(store.dialect, ids))
      return Effect.as(ending, kept)
    }),
    Stream.mapConcat((kept) => kept.map(({ path }) => path))
  ),
  complete: running.complete,
  // Chunks that a sink did not remove are left to a later run, of any process.
  end: Effect.zipRight(running.end, store.holds.rest)
})

/** Documents of the root that were not found and that no other scope claims. */
const unclaimed = <E>(
  store: RowStore<E>,
  { root, scope }: Places.Place,
  { isSeen }: Previewed<E>
): Stream.Stream<{ readonly id: number }, E> =>
  Stream.filter(
    paged(perStatement, (after, size) =>
      store.read(() =>
        rows(
          `SELECT d.id, d.path FROM document d WHERE d.root = $1 AND d.id > $3
             AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.document = d.id AND c.scope <> $2)
           ORDER BY d.id LIMIT ${size}`,
          [root, scope, after],
          (row) => ({ id: integer(row, 0), path: text(row, 1) })
        )
      )
    ),
    (document) => !isSeen(document)
  )

export const preview = <E>(
  store: RowStore<E>,
  request: ScopeRequest,
  place: Places.Place,
  previewed: Previewed<E>
): Preview<E> => {
  /** The chunks of these documents, in pages. */
  const holdings = (
    documents: Stream.Stream<{ readonly id: number }, E>,
    released: boolean
  ): Stream.Stream<Unclaimed, E> =>
    Stream.grouped(documents, perPage).pipe(
      Stream.mapEffect((page) =>
        store.documents(store.dialect.isIn("d.id", "$1", "bigint"), [[...page].map(({ id }) => id)], {
          pending: true,
          limit: perPage
        })
      ),
      Stream.mapConcat((page) => page.map((document): Unclaimed => ({ ...holdingOf(document), released })))
    )
  return {
    claimed: previewed.claimed,
    see: previewed.see,
    vanished: previewed.vanished,
    gone: Effect.sync(() => {
      const gone = goneOf(store, request, place, previewed)
      return {
        unclaimed: Stream.concat(
          holdings(unclaimed(store, place, previewed), false),
          holdings(
            Stream.mapConcat(gone, ({ released }) => released),
            true
          )
        ),
        kept: Stream.mapConcat(gone, ({ kept }) => kept.map(({ path }) => path))
      }
    })
  }
}
