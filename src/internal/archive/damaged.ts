import type { SourceUnavailable } from "../../Source.ts"

/** An archive, or a member of one, that is not as it should be. */
export class Damaged extends Error {
  /** `Failed`: another file took its place, so that a later run may succeed. `Invalid`: it is not the kind of archive that was named. */
  readonly reason: Extract<SourceUnavailable["reason"], "Damaged" | "Failed" | "Invalid">

  /** The message says what is wrong and what to do. */
  constructor(message: string, reason: Damaged["reason"] = "Damaged") {
    super(message)
    this.name = "Damaged"
    this.reason = reason
  }
}
