/** Truth of a question at each level, and the hits that agree with it. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { citation } from "../../DocumentChunk.ts"
import { Passages } from "../quotation/passages.ts"
import * as Quotation from "../quotation/quotation.ts"
import type { Judged } from "./measures.ts"
import type { Question } from "./question.ts"

/** Levels of truth, from the coarsest to the finest. */
export const levels = ["document", "section", "page", "passage", "box"] as const

/**
 * A level of truth, from the coarsest to the finest.
 *
 * @since 0.1.0
 * @category models
 */
export type Level = (typeof levels)[number]

/**
 * A hit as a search gives it: its chunk is compared with the truth.
 *
 * @since 0.1.0
 * @category models
 */
export interface Found {
  readonly chunk: DocumentChunk
}

/** One thing that should be found. */
interface Unit {
  readonly grade: number
  readonly shown: string
  /** True when the hits up to this one have it; they are all of its sources. */
  readonly covered: (hit: Found, soFar: Passages) => boolean
}

const listOf = <A>(given: A | ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  given === undefined ? [] : isList(given) ? given : [given]

const isList = <A>(given: A | ReadonlyArray<A>): given is ReadonlyArray<A> => Array.isArray(given)

const named = (path: string): string => path.normalize("NFC").replace(/^\.\//u, "")

const isOf = ({ documentId, source }: DocumentChunk, wanted: string): boolean =>
  named(source) === wanted || documentId.normalize("NFC") === wanted

const headingOf = (text: string): string => Quotation.normalised(text).toLowerCase()

/** Headings over the chunk and those that begin in it. */
const headingsOf = ({ headingPath, metadata }: DocumentChunk): ReadonlyArray<string> => {
  const { headings } = metadata
  return [...headingPath.map(({ text }) => text), ...(Array.isArray(headings) ? headings : [])].map(headingOf)
}

type BoxOf = DocumentChunk["boxes"][number]

const covers = ({ bbox: [left, top, right, bottom], page }: BoxOf, wanted: BoxOf): boolean => {
  const [x, y] = [(wanted.bbox[0] + wanted.bbox[2]) / 2, (wanted.bbox[1] + wanted.bbox[3]) / 2]
  return page === wanted.page && left <= x && x <= right && top <= y && y <= bottom
}

const unitsOf = (question: Question): Readonly<Record<Level, ReadonlyArray<Unit>>> => {
  const { boxes = [], grades = [], heading, pages, quote, source } = question
  const one = (shown: string, covered: Unit["covered"]): Unit => ({ grade: 1, shown, covered })
  return {
    document: listOf(source).map((each, at) => {
      const wanted = named(each)
      return { grade: grades[at] ?? 1, shown: each, covered: ({ chunk }) => isOf(chunk, wanted) }
    }),
    section: listOf(heading).map((each) => {
      const wanted = headingOf(each)
      return one(`“${each}”`, ({ chunk }) => headingsOf(chunk).includes(wanted))
    }),
    page: listOf(pages).map((page) => one(`p. ${page}`, ({ chunk }) => chunk.pages.includes(page))),
    passage: listOf(quote).map((each) =>
      one(`“${each}”`, ({ chunk }, soFar) => {
        // A quote may be cut between chunks that follow one another.
        soFar.add(chunk)
        return Quotation.holds(soFar.around(chunk), each)
      })
    ),
    box: boxes.map((box) =>
      one(`a box on p. ${box.page}`, ({ chunk }) => chunk.boxes.some((each) => covers(each, box)))
    )
  }
}

/** A question whose hits were judged. */
export interface Judgement {
  readonly question: Question
  readonly hits: ReadonlyArray<Found>
  /** Only levels at which the question has truth. */
  readonly levels: ReadonlyMap<Level, Judged>
  /** What the finest of them wants, in words. */
  readonly wanted: string
}

/** The finest level at which the question has truth. */
export const finest = ({ levels: judged }: Pick<Judgement, "levels">): Level =>
  levels.findLast((level) => judged.has(level)) ?? "document"

/** Judges the hits, best first, at every level. */
export const judge = (question: Question, hits: ReadonlyArray<Found>): Judgement => {
  const units = unitsOf(question)
  const sources = listOf(question.source).map(named)
  const tokens = hits.map(({ chunk }) => chunk.tokens)
  const judged = new Map<Level, Judged>()
  for (const level of levels) {
    const all = units[level]
    if (all.length === 0) continue
    const left = new Set(all)
    const soFar = new Passages()
    const found = hits.map((hit) => {
      if (left.size === 0 || !sources.some((source) => isOf(hit.chunk, source))) return []
      const fresh = [...left].filter((unit) => unit.covered(hit, soFar))
      for (const unit of fresh) left.delete(unit)
      return fresh.map(({ grade }) => grade)
    })
    judged.set(level, { grades: all.map(({ grade }) => grade), found, tokens })
  }
  const level = finest({ levels: judged })
  const shown = units[level].map((unit) => unit.shown).join(", ")
  const wanted = level === "document" ? shown : `${listOf(question.source).join(" or ")}, ${shown}`
  return { question, hits, levels: judged, wanted }
}

/** A hit in one line, for a reader. */
export const placeOf = ({ chunk }: Found): string => citation(chunk)
