/** One phase of the bench `document`, as a contender's process gets it and as it answers. */

export interface Task {
  /** Base address of the service. */
  readonly base: string
  /** Folder of the HTML files. */
  readonly folder: string
  /** Folder of the contender's own: its ledger and its cache, which the next phase finds again. */
  readonly state: string
  /** Name of the store that is written to. */
  readonly sink: string
  readonly concurrency: number
  /** Stages that ours leaves out, to see what each costs. */
  readonly without: ReadonlyArray<Part>
}

/** `parser`: reading, hashing, asking, keeping the answer and decoding it; the documents are made from the files in the process. */
export type Part = "parser" | "ledger" | "embedding"

export interface Measured {
  /** Documents that were looked at. */
  readonly documents: number
  /** Chunks that the store was given. */
  readonly written: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakRssMb: number
  /** Memory with all modules loaded, before the work. */
  readonly idleRssMb: number
}

export interface Done {
  readonly documents: number
  readonly written: number
}

/** Loads its modules, so that their time is not measured, and returns the work to measure. */
export type Contender = () => Promise<(task: Task) => Promise<Done>>

/** Length of every vector. */
export const dimensions = 384

/** The embedding function of every contender: deterministic, and some microseconds a text. */
export const embedding = (text: string): Array<number> => {
  const vector: Array<number> = []
  for (let at = 0; at < dimensions; at++) vector.push(0)
  for (let at = 0; at < text.length; at += 8) {
    const place = (text.charCodeAt(at) * 31 + at) % dimensions
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

/** The size of a chunk of the peers, in characters; ours are as long, counted in tokens. */
export const chunkCharacters = 1000
export const chunkTokens = 256
