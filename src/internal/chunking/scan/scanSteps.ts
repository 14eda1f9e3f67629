/** The leaves of a long text, in steps. */
import type { Steps } from "../steps.ts"
import type { Leaf } from "./Leaf.ts"
import { Scanner } from "./scan.ts"

/** Characters that are scanned in one step. */
const perStep = 16_384

/**
 * As `scan`.
 *
 * @yields {undefined} After each step.
 */
export function* scanSteps(text: string, start: number, end: number): Steps<ReadonlyArray<Leaf>> {
  const scanner = new Scanner(text)
  for (let at = start; at < end;) {
    at = scanner.advance(at, end, Math.min(end, at + perStep))
    yield
  }
  scanner.finish()
  return scanner.leaves
}
