import * as Schema from "effect/Schema"
import { unsent } from "./wireFields.ts"

/**
 * A figure has no picture, or no description.
 *
 * `UnknownDocument`: the state has no such document. `Gone`: its file is not where it was, or cannot be read. `Changed`: the file has other
 * bytes than those that were stored. `NoPicture`: it is no PDF, or cannot be drawn. `OutsidePage`: the document has no such page, or the box
 * is not on it. `NotDescribed`: the describer failed. `NoPlace`: nothing tells where on its page a description would stand.
 *
 * @since 0.1.0
 * @category errors
 */
export class FigureError extends Schema.TaggedError<FigureError>("docsluice/FigureError")("FigureError", {
  /** POSIX path of the document below its root. */
  source: Schema.String,
  /** 1-based physical page. */
  page: Schema.Number,
  reason: Schema.Literal("UnknownDocument", "Gone", "Changed", "NoPicture", "OutsidePage", "NotDescribed", "NoPlace"),
  /** What happened, in one sentence. */
  problem: Schema.String,
  cause: unsent
}) {
  override get message(): string {
    return `${this.source}: page ${this.page}: ${this.problem}`
  }
}
