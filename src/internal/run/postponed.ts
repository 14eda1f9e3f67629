/** Documents that another process works on: they are looked at again after all others, when that one is done with most of them. */
import * as Chunk from "effect/Chunk"
import * as Stream from "effect/Stream"
import type { SourceFile } from "../../SourceFile.ts"
import type { Compared } from "./compare.ts"

/** Stands for a document whose turn comes later. */
export interface Postponed {
  readonly _tag: "Postponed"
}

/** Puts a document off that another process works on; null: it is to be waited for. */
export type Postpone<P extends Postponed> = (file: SourceFile) => P | null

const later: Postponed = { _tag: "Postponed" }

/** The documents of a run that were put off. */
export class PostponedFiles {
  private files: Array<SourceFile> = []
  private readonly capacity: number

  /** `capacity`: files that may be put off; the run waits for further ones. */
  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Null when there is no room for the file. */
  readonly add: Postpone<Postponed> = (file) => {
    if (this.files.length >= this.capacity) return null
    this.files.push(file)
    return later
  }

  /** All of them, to be run after the last other document. */
  readonly items: Stream.Stream<Compared> = Stream.suspend(() => {
    const items = this.files.map((found): Compared => ({ found, standing: "known", postponed: true }))
    this.files = []
    return Stream.fromIterable(items)
  })
}

const isReady = <A extends { readonly _tag: string }>(result: A | Postponed): result is A => result._tag !== "Postponed"

/** The results without those that come later. */
export const ready = <A extends { readonly _tag: string }, E, R>(
  results: Stream.Stream<A | Postponed, E, R>
): Stream.Stream<A, E, R> => Stream.mapChunks(results, (chunk) => Chunk.filter(chunk, isReady<A>))
