/** Engines that are scored side by side. */
import type { BoxedBlock } from "../score/blocks.ts"

export interface Answer {
  readonly markdown: string
  /** Undefined where the engine has no boxes. */
  readonly blocks: ReadonlyArray<BoxedBlock> | undefined
}

export interface Engine {
  readonly name: string
  /** Rejects where the engine cannot read the document. */
  readonly parse: (bytes: Uint8Array) => Promise<Answer>
}
