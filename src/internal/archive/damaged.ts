/** An archive, or a member of one, that is not as it should be. */
export class Damaged extends Error {
  /** True when another file took its place, so that a later run may succeed. */
  readonly replaced: boolean

  /** The message says what is wrong and what to do. */
  constructor(message: string, replaced = false) {
    super(message)
    this.name = "Damaged"
    this.replaced = replaced
  }
}
