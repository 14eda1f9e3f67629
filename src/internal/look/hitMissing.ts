/** The reason why the pages of a hit are not drawn. */
import * as Schema from "effect/Schema"
import type { NoPicture } from "./messages.ts"

/** The pages of a hit cannot be drawn: its boxes are shown on an empty page. */
export class HitMissing extends Schema.TaggedError<HitMissing>("docsluice/look/HitMissing")("HitMissing", {
  reason: Schema.Literal("no-pages", "no-root", "gone", "changed", "outside", "not-readable", "unverified"),
  /** A sentence for the page, without folders of this machine. */
  problem: Schema.String,
  /** What helps, in one sentence; null where nothing does. */
  remedy: Schema.NullOr(Schema.String)
}) {
  override get message(): string {
    return this.problem
  }
}

/** The reason as the page gets it. */
export const noPicture = ({ problem, reason, remedy }: HitMissing): NoPicture => ({
  reason,
  message: problem,
  remedy
})
