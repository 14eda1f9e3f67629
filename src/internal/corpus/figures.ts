/** Pictures of figures of the documents of a corpus. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Ledger, LedgerError } from "../../Ledger.ts"
import { DocumentId } from "../../SourceFile.ts"
import { FigureError } from "../base/figureError.ts"
import * as Figure from "../look/figure.ts"
import * as HitFile from "../look/hitFile.ts"
import type { Service } from "./contract.ts"

type Of = Parameters<Service["figure"]>[0]

type Draw = (...asked: Parameters<Service["figure"]>) => Effect.Effect<Figure.FigurePicture, FigureError>

/** Pictures that are drawn at a time: the file of each is held in memory. */
const drawings = 2

/** Root and path of a document by its id, of the roots that the state knows. */
const named = (ledger: Ledger.Service, of: Of): Effect.Effect<Exclude<Of, string>, LedgerError> =>
  typeof of !== "string"
    ? Effect.succeed(of)
    : Effect.map(ledger.stats, ({ roots }) => {
        const own = roots.filter(({ name }) => of.startsWith(`${name}/`))
        const root = own.reduce((longest, { name }) => (name.length > longest.length ? name : longest), "")
        return { documentId: DocumentId.make(of), source: of.slice(root.length + 1) }
      })

/** They are drawn by a child process, which starts with the first and ends with the scope. */
export const make = (ledger: Ledger.Service): Effect.Effect<Draw, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { make } = yield* Effect.promise(() => import("../../engine/PageDrawing.ts"))
    const drawing = yield* make
    const files = yield* HitFile.make({ roots: new Map(), state: ledger })
    const turns = yield* Effect.makeSemaphore(drawings)
    return (asked, { bbox, page }, { width = Figure.widths.unnamed } = {}) =>
      Effect.gen(function* () {
        const of = yield* Effect.mapError(
          named(ledger, asked),
          ({ message }) =>
            new FigureError({
              source: typeof asked === "string" ? asked : asked.source,
              page,
              reason: "UnknownDocument",
              problem: message
            })
        )
        const bounded = Math.round(Math.max(Figure.widths.least, Math.min(Figure.widths.most, width)))
        return yield* Figure.draw(files, drawing, { of, bbox, page, width: bounded })
      }).pipe(turns.withPermits(1))
  })
