/**
 * Vectors as a model could have made them: of a truth, a seed and a quality. Their cosines lie where those of the model lie; the lower the
 * quality, the nearer other chunks come to the question.
 */
import { uniform } from "../random.ts"

/** Where the cosines of a model lie. */
export interface Kind {
  /** Of a question and a chunk that has nothing to do with it, in the middle. */
  readonly unrelated: number
  /** Of a question and its answer, in the middle. */
  readonly related: number
}

/** As text-embedding-3's: 0.05 to 0.25, and 0.3 to 0.6. As e5's: 0.7 to 0.8, and 0.8 to 0.9. */
export const kinds = {
  "text-embedding-3": { unrelated: 0.12, related: 0.45 },
  e5: { unrelated: 0.75, related: 0.85 }
} as const satisfies Readonly<Record<string, Kind>>

/** Normally distributed numbers. */
const normal = (seed: number): (() => number) => {
  const next = uniform(seed)
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

const dimensions = 384

/** Chunks that a question is drawn to although they do not answer it. */
const confusing = 6

/** How much the nearness of one chunk to its question differs from another's. */
const spread = 0.3

const scaled = (vector: ReadonlyArray<number>, length: number): ReadonlyArray<number> => {
  const own = Math.hypot(...vector)
  return own === 0 ? vector : vector.map((value) => (value * length) / own)
}

/**
 * `right` are the positions of the chunks that answer a question, `alike` those of others that share words with it, by which every other
 * confusion is drawn. `quality` 0: what confuses is as near as what answers; 1: no nearer than any other chunk; less than 0: nearer than
 * what answers; above 1, answers are nearer, too.
 */
export const vectors = (
  { related, unrelated }: Kind,
  questions: ReadonlyArray<{ readonly right: ReadonlySet<number>; readonly alike: ReadonlyArray<number> }>,
  chunks: number,
  quality: number,
  seed: number
): {
  readonly chunks: ReadonlyArray<ReadonlyArray<number>>
  readonly questions: ReadonlyArray<ReadonlyArray<number>>
} => {
  const draw = normal(seed)
  const random = (): ReadonlyArray<number> => scaled(Array.from({ length: dimensions }, draw), 1)
  // The part that all vectors share gives unrelated ones their similarity; what is left of a vector is its own.
  const shared = Math.sqrt(unrelated)
  const rest = Math.sqrt(1 - unrelated)
  const near = (related - unrelated) / (1 - unrelated)
  const subjects = questions.map(random)
  const own: ReadonlyArray<Array<number>> = Array.from({ length: chunks }, () => Array<number>(dimensions).fill(0))
  const pulled = Array<number>(chunks).fill(0)
  const pull = (at: number, subject: ReadonlyArray<number>, strength: number) => {
    const vector = own[at]
    if (vector === undefined) return
    for (const [place, value] of subject.entries()) vector[place] = (vector[place] ?? 0) + strength * value
    pulled[at] = (pulled[at] ?? 0) + strength ** 2
  }
  const pick = uniform(seed + 1)
  for (const [at, { alike, right: wanted }] of questions.entries()) {
    const subject = subjects[at] ?? []
    for (const one of wanted) pull(one, subject, near * (Math.max(1, quality) + spread * draw()))
    for (let count = 0; count < confusing; count += 1) {
      const drawn = count % 2 === 0 ? alike[Math.floor(pick() * alike.length)] : undefined
      const other = drawn ?? Math.floor(pick() * chunks)
      const strength = near * (1 - quality + spread * draw())
      if (!wanted.has(other)) pull(other, subject, Math.max(0, strength))
    }
  }
  const whole = (vector: ReadonlyArray<number>): ReadonlyArray<number> => [shared, ...scaled(vector, rest)]
  return {
    questions: subjects.map(whole),
    chunks: own.map((vector, at) => {
      const noise = scaled(random(), Math.sqrt(Math.max(0.05, 1 - (pulled[at] ?? 0))))
      return whole(vector.map((value, place) => value + (noise[place] ?? 0)))
    })
  }
}
