import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ScopeRequest } from "../../../Source.ts"
import type { Place } from "../ledger/preview.ts"
import { isBelow, isGone } from "../ledger/released.ts"
import type { Expected, Preview, Unclaimed } from "../ledger/runLedger.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { flag, integer, text } from "./columns.ts"
import type { Connection } from "./connection.ts"
import * as Reading from "./reading.ts"
import { claimedRow, claimedSql, compare, inBatches, insideOf, settledBy } from "./scan.ts"

/** Documents by number, one bit each: a preview may not write what it found. */
class Numbers {
  private readonly blocks = new Map<number, Uint8Array>()

  readonly add = (id: number): void => {
    const at = Math.floor(id / 8192)
    const block = this.blocks.get(at) ?? new Uint8Array(1024)
    this.blocks.set(at, block)
    const byte = (id % 8192) >> 3
    block[byte] = (block[byte] ?? 0) | (1 << (id & 7))
  }

  readonly has = (id: number): boolean =>
    ((this.blocks.get(Math.floor(id / 8192))?.[(id % 8192) >> 3] ?? 0) & (1 << (id & 7))) !== 0
}

const perPage = 4096

/** The result of a scan without its writes. */
export const make = (
  connection: Connection,
  request: ScopeRequest,
  { root, scope }: Place,
  expected: Expected
): Effect.Effect<Preview<ServerFailure>, ServerFailure> =>
  Effect.gen(function* () {
    const settled = yield* connection.transaction((transaction) => settledBy(transaction, expected))
    const [claimed = 0] = yield* connection.rows("SELECT count(*) FROM claim WHERE scope = $1", [scope], (row) =>
      integer(row, 0)
    )
    const seen = new Numbers()
    const vanished = Reading.paged(
      (after) =>
        connection.rows(
          `SELECT d.id, d.path, d.failure IS NOT NULL FROM claim c JOIN document d ON d.id = c.document
           WHERE c.scope = $1 AND d.id > $2 ORDER BY d.id LIMIT ${perPage}`,
          [scope, after],
          (row) => ({ id: integer(row, 0), path: text(row, 1), failed: flag(row, 2) })
        ),
      ({ id }) => id,
      perPage
    ).pipe(
      Stream.filter(({ id }) => !seen.has(id)),
      Stream.map(({ failed, path }) => ({ path, failed }))
    )
    return {
      claimed,
      see: (files) =>
        inBatches(files, (part) => compare(connection, request.root, settled, null, part, expected, seen.add)),
      vanished,
      gone: Effect.suspend(() => gone(connection, request, { root, scope }, seen))
    }
  })

const gone = (
  connection: Connection,
  { parts, path: folder }: ScopeRequest,
  place: Pick<Place, "root" | "scope">,
  seen: Numbers
) =>
  Effect.gen(function* () {
    const whole = (parts ?? []).flatMap((part) => (part.whole ? [part.path] : []))
    const inside = yield* insideOf(connection, place, whole)
    const claimed =
      folder === null || whole.length === 0
        ? Stream.empty
        : Reading.paged(
            (after) => connection.rows(claimedSql("true"), [place.root, place.scope, after], claimedRow),
            ({ id }) => id,
            perPage
          ).pipe(
            Stream.filter(
              ({ id, path }) =>
                !seen.has(id) && whole.some((part) => isBelow(path, part)) && isGone(`${folder}/${path}`)
            )
          )
    const mayGo = (scopes: ReadonlyArray<number>): boolean => scopes.every((scope) => inside.has(scope))
    const unclaimed = Reading.documents(
      connection,
      "AND d.root = $2 AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.document = d.id AND c.scope <> $3)",
      [place.root, place.scope],
      true
    ).pipe(
      Stream.filter(({ id }) => !seen.has(id)),
      Stream.map((document): Unclaimed => ({ ...Reading.holdingOf(document), released: false }))
    )
    const released = claimed.pipe(
      Stream.filter(({ scopes }) => mayGo(scopes)),
      Stream.flatMap(({ id }) =>
        Stream.map(Reading.documents(connection, "AND d.id = $2", [id], true), (document): Unclaimed => ({
          ...Reading.holdingOf(document),
          released: true
        }))
      )
    )
    return {
      unclaimed: Stream.concat(unclaimed, released),
      kept: claimed.pipe(
        Stream.filter(({ scopes }) => !mayGo(scopes)),
        Stream.map(({ path }) => path)
      )
    }
  })
