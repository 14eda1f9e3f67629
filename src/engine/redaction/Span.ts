/** A found value: the bucket and its place in the text. */
import type { PiiEntity } from "../../service/ParseOptions.ts"

export type Entity = typeof PiiEntity.Type

export interface Span {
  readonly entity: Entity
  /** `[start, end)` in UTF-16 code units of the text that was searched. */
  readonly start: number
  readonly end: number
}

/**
 * The places that at least one of the spans covers: those that overlap become one, of the bucket of the first. In the order of the text.
 */
export const union = <A extends Pick<Span, "start" | "end">>(spans: ReadonlyArray<A>): ReadonlyArray<A> => {
  const merged: Array<A> = []
  for (const span of spans.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = merged.at(-1)
    if (last !== undefined && span.start < last.end) {
      if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
    } else {
      merged.push(span)
    }
  }
  return merged
}

/**
 * Appends the spans that overlap none of those already there. Lists come in the order of their certainty. Both lists are left as they are;
 * the result is in the order of the text.
 */
export const combine = (lists: ReadonlyArray<ReadonlyArray<Span>>): ReadonlyArray<Span> => {
  let kept: ReadonlyArray<Span> = []
  for (const list of lists) {
    const next: Array<Span> = []
    let at = 0
    let end = 0
    for (const span of list.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
      for (let before = kept[at]; before !== undefined && before.start < span.start; before = kept[++at]) {
        next.push(before)
        end = Math.max(end, before.end)
      }
      const following = kept[at]
      if (span.start >= end && span.start < span.end && (following === undefined || following.start >= span.end)) {
        next.push(span)
        end = span.end
      }
    }
    kept = [...next, ...kept.slice(at)]
  }
  return kept
}
