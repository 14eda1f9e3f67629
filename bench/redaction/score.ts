/**
 * Precision and recall of found spans.
 *
 * A labelled span counts as found when spans of its bucket cover at least half of its characters; a found span counts as right when at
 * least half of its characters are labelled with its bucket. A value found in another bucket is therefore missed there and wrong here.
 */
import { buckets, type Bucket, type Span } from "./labelledSet.ts"

export interface Tally {
  labelled: number
  recalled: number
  found: number
  right: number
}

export type Score = Readonly<Record<Bucket, Tally>>

const empty = (): Tally => ({ labelled: 0, recalled: 0, found: 0, right: 0 })

export const make = (): Score => ({
  PERSON: empty(),
  EMAIL: empty(),
  PHONE: empty(),
  LOCATION: empty(),
  FINANCIAL: empty(),
  SECRET: empty()
})

const covered = (span: Span, by: ReadonlyArray<Span>): boolean => {
  const common = by.reduce(
    (total, other) => total + Math.max(0, Math.min(span.end, other.end) - Math.max(span.start, other.start)),
    0
  )
  return common * 2 >= span.end - span.start
}

/** Adds one text; neither list has spans of one bucket that overlap. */
export const add = (score: Score, labelled: ReadonlyArray<Span>, found: ReadonlyArray<Span>): void => {
  for (const bucket of buckets) {
    const wanted = labelled.filter((span) => span.bucket === bucket)
    const given = found.filter((span) => span.bucket === bucket)
    const tally = score[bucket]
    tally.labelled += wanted.length
    tally.recalled += wanted.filter((span) => covered(span, given)).length
    tally.found += given.length
    tally.right += given.filter((span) => covered(span, wanted)).length
  }
}

const share = (part: number, whole: number): number => (whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000)

export const figures = (score: Score) =>
  Object.fromEntries(
    buckets.map((bucket) => {
      const { found, labelled, recalled, right } = score[bucket]
      return [bucket, { labelled, precision: share(right, found), recall: share(recalled, labelled) }]
    })
  )
