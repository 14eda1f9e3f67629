/** Chunks in which a quote is looked for: those of a document that follow one another are one text. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { at } from "../base/at.ts"
import type { Difference, Stretch } from "./compare.ts"
import * as Compare from "./compare.ts"
import { endsUnspaced } from "./form.ts"
import * as Quotation from "./quotation.ts"
import * as Telling from "./telling.ts"

type Reading = Quotation.Reading

/** Chunks that follow one another, with the readings of their text. */
interface Run {
  readonly chunks: ReadonlyArray<DocumentChunk>
  readonly readings: ReadonlyArray<Reading>
  /** For each reading the number of its words before the end of each chunk. */
  readonly ends: ReadonlyArray<ReadonlyArray<number>>
}

/** One of them. */
interface Joined {
  readonly words: Reading
  readonly ends: ReadonlyArray<number>
}

/** A chunk of a run. */
interface Part {
  readonly of: ReadonlyArray<Reading>
  /** True if the last word before it goes on in it. */
  readonly cut: boolean
}

/** A place of a quote. */
export interface Found {
  /** Over which it runs, in order. */
  readonly chunks: readonly [DocumentChunk, ...ReadonlyArray<DocumentChunk>]
  /** The words there. */
  readonly words: Reading
  readonly differences: ReadonlyArray<Difference>
}

/** Chunks around the one that shares most words with a quote, in which the quote may stand nearly. */
const around = 1

/** Chunks that are compared word by word with a quote which stands nowhere. */
const compared = 4

/** Share of a quote's telling words that a chunk with a part of the quote has, and words of a quote that runs over two chunks at most. */
const least = { share: 1 / 3, words: 40 } as const

export class Passages {
  readonly #telling: ReadonlyArray<string>
  readonly #least: number
  /** By document and index. */
  readonly #chunks = new Map<string, Map<number, DocumentChunk>>()
  readonly #readings = new Map<string, ReadonlyArray<Reading>>()
  /** Share of the telling words in each chunk that was added. */
  readonly #shares = new Map<DocumentChunk, number>()

  /** Chunks with few of the telling words of the quote, and not next to one with more, are not read; without a quote all are. */
  constructor(quote: Reading = []) {
    this.#telling = Telling.plain(quote)
    this.#least = least.share * Math.min(1, least.words / quote.length)
  }

  add(chunk: DocumentChunk): void {
    const chunks = this.#chunks.get(chunk.documentId) ?? new Map<number, DocumentChunk>()
    this.#chunks.set(chunk.documentId, chunks.set(chunk.index, chunk))
  }

  /** The readings of the text around a chunk that was added. */
  around(chunk: DocumentChunk): ReadonlyArray<Reading> {
    return this.#runAround(chunk, Infinity).readings
  }

  /** Number of chunks that have the text. */
  count(text: string): number {
    let count = 0
    for (const chunk of this.#all()) if (chunk.text.includes(text)) count += 1
    return count
  }

  /** Places where a reading of a quote stands word for word, documents in the order in which they were added; as many as `most`. */
  exact(quotes: ReadonlyArray<Reading>, most: number): ReadonlyArray<Found> {
    const found = new Map<string, Found>()
    for (const documentId of this.#chunks.keys()) {
      for (const run of this.#runs(documentId)) {
        for (const [which, reading] of run.readings.entries()) {
          if (run.readings.indexOf(reading) < which) continue
          for (const quote of quotes) {
            for (const stretch of Compare.exact(reading, quote)) {
              const place = placed(run, which, stretch)
              const key = place.chunks.map(({ id }) => id).join(" ")
              if (!found.has(key)) found.set(key, place)
              if (found.size >= most) return [...found.values()]
            }
          }
        }
      }
    }
    return [...found.values()]
  }

  /** Places where a quote stands with differences, those with the fewest first. */
  near(quote: Reading, most: number): ReadonlyArray<Found> {
    const best = this.#all()
      .filter((chunk) => this.#share(chunk) > 0)
      .toSorted((left, right) => this.#share(right) - this.#share(left))
      .slice(0, compared)
    const found = new Map<string, Found & { readonly distance: number }>()
    for (const chunk of best) {
      const run = this.#runAround(chunk, quote.length)
      const place = Compare.near(at(run.readings, 0), quote)
      if (place === undefined) continue
      const there = placed(run, 0, place)
      found.set(there.chunks.map(({ id }) => id).join(" "), {
        ...there,
        differences: place.differences,
        distance: place.distance
      })
    }
    return [...found.values()].toSorted((left, right) => left.distance - right.distance).slice(0, most)
  }

  #all(): ReadonlyArray<DocumentChunk> {
    return [...this.#chunks.values()].flatMap((chunks) => Array.from(chunks.values()))
  }

  #share(chunk: DocumentChunk): number {
    const known = this.#shares.get(chunk)
    if (known !== undefined) return known
    const telling = this.#telling
    const share = telling.length === 0 ? 1 : telling.filter((word) => chunk.text.includes(word)).length / telling.length
    this.#shares.set(chunk, share)
    return share
  }

  /** The chunk with those before and after it that a quote of so many words may run over. */
  #runAround(chunk: DocumentChunk, words: number): Run {
    const chunks = this.#chunks.get(chunk.documentId) ?? new Map<number, DocumentChunk>()
    const list = [chunk]
    for (const step of [-1, 1]) {
      let room = words
      for (let index = chunk.index + step, count = 0; room > 0 || count < around; index += step, count++) {
        const next = chunks.get(index)
        if (next === undefined) break
        room -= at(this.#of(next, next.text), 0).length
        if (step < 0) list.unshift(next)
        else list.push(next)
      }
    }
    return this.#joined(list)
  }

  #runs(documentId: string): ReadonlyArray<Run> {
    const all = this.#chunks.get(documentId) ?? new Map<number, DocumentChunk>()
    const isTelling = (index: number) => {
      const chunk = all.get(index)
      return chunk !== undefined && this.#share(chunk) >= this.#least
    }
    const chunks = [...all.values()]
      .filter(({ index }) => [index - 1, index, index + 1].some(isTelling))
      .toSorted((left, right) => left.index - right.index)
    const runs: Array<Array<DocumentChunk>> = []
    for (const chunk of chunks) {
      const last = runs.at(-1)
      if (last !== undefined && last.at(-1)?.index === chunk.index - 1) last.push(chunk)
      else runs.push([chunk])
    }
    return runs.map((run) => this.#joined(run))
  }

  #joined(chunks: ReadonlyArray<DocumentChunk>): Run {
    const parts = this.#parts(chunks)
    const joined: Array<Joined> = []
    for (let which = 0; which < Quotation.count; which++) {
      const equal = joined.find((_, earlier) => parts.every(({ of }) => at(of, earlier) === at(of, which)))
      joined.push(equal ?? joinedWords(parts, which))
    }
    return { chunks, readings: joined.map(({ words }) => words), ends: joined.map(({ ends }) => ends) }
  }

  /** The readings of each chunk, of text that the chunks before it do not have. */
  #parts(chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<Part> {
    let end = -1
    let tail = ""
    return chunks.map((chunk) => {
      const overlap = end < 0 ? 0 : Math.max(0, Math.min(end - chunk.start, chunk.text.length))
      const text = chunk.text.slice(overlap)
      const cut = end >= chunk.start && /\S$/u.test(tail) && !endsUnspaced(tail) && /^\S/u.test(text)
      end = Math.max(end, chunk.end)
      tail = text === "" ? tail : text
      return { of: this.#of(chunk, text), cut }
    })
  }

  #of(chunk: DocumentChunk, text: string): ReadonlyArray<Reading> {
    const key = `${chunk.id} ${text.length}`
    const known = this.#readings.get(key)
    if (known !== undefined) return known
    const readings = Quotation.readings(text)
    this.#readings.set(key, readings)
    return readings
  }
}

const joinedWords = (parts: ReadonlyArray<Part>, which: number): Joined => {
  const words: Array<string> = []
  const ends = parts.map(({ cut, of }) => {
    const own = at(of, which)
    const last = cut && own.length > 0 ? words.pop() : undefined
    for (const [index, word] of own.entries()) words.push(index === 0 && last !== undefined ? last + word : word)
    return words.length
  })
  return { words, ends }
}

const placed = ({ chunks, ends, readings }: Run, which: number, { end, start }: Stretch): Found => {
  const until = at(ends, which)
  const first = until.findIndex((count) => count > start)
  const last = until.findIndex((count) => count >= end)
  return {
    chunks: [at(chunks, first), ...chunks.slice(first + 1, last + 1)],
    words: at(readings, which).slice(start, end),
    differences: []
  }
}
