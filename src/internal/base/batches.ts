/** Sizes of batches and pages that a simulation makes small, so that few documents reach what comes after the first. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"

/** At most the usual size, and at least 1. */
export type Size = (usual: number) => number

/** Default: the usual size. */
export class Batches extends Context.Reference<Batches>()("docsluice/internal/Batches", {
  defaultValue: (): { readonly size: Size } => ({ size: identity })
}) {}

/** The size of the next batch. */
export const next = (usual: number): Effect.Effect<number> => Effect.map(Batches, ({ size }) => size(usual))
