import { canonicalJson } from "../base/canonicalJson.ts"
import type { ChunkOptions, Template } from "./chunkOptions.ts"
import { version } from "./cite/Places.ts"
import type { Kept } from "./kept.ts"

/** Settings that differ from strategy to strategy. */
export interface Kind {
  readonly sections: boolean
  readonly pageBoundaries: "hard" | "soft"
  /** Source of the page numbers. */
  readonly pages: "markers" | "pages" | "auto"
  /** Chunks carry the ids and boxes of blocks, and blocks say what belongs together. */
  readonly blocks: boolean
  /** Running heads, feet and page numbers stay in. */
  readonly furniture: boolean
  /** Chunks with a block of less confidence, 0 to 1, are noted. */
  readonly minConfidence: number
}

/** All options, with defaults filled in. */
export interface Settings extends Kind {
  readonly configuration: string
  /** The canonical text of all that changes metadata alone. */
  readonly annotations: string
  readonly maxTokens: number
  readonly minTokens: number
  readonly overlapTokens: number
  readonly template: Template | undefined
  /** Budget of the children; 0 for none. */
  readonly childTokens: number
  readonly metadata: ChunkOptions["metadata"]
}

const headingPath: Template = {
  name: "heading-path",
  render: (path) => path.map(({ text }) => text).join(" > ")
}

const none = "none"

const templateOf = (context: ChunkOptions["context"], kept: string | undefined): Template | undefined => {
  if (context === undefined) return kept === none ? undefined : headingPath
  return context === false ? undefined : context === true ? headingPath : context
}

/** Token budget of a chunk where none is told. */
export const defaultMaxTokens = 512

/** The budget of a chunk with what else was told of it: a kept one that contradicts it is none. */
const budgetOf = (options: ChunkOptions, kept: Kept) => {
  const { maxTokens: most = defaultMaxTokens, minTokens: least = 0, overlapTokens: overlap = 0 } = kept
  const fits = most > (options.overlapTokens ?? 0) && most >= (options.minTokens ?? 0)
  const maxTokens = Math.max(1, Math.floor(options.maxTokens ?? (fits ? most : defaultMaxTokens)))
  return {
    maxTokens,
    minTokens: options.minTokens ?? (least > maxTokens ? 0 : least),
    overlapTokens: options.overlapTokens ?? (overlap < maxTokens ? overlap : 0),
    childTokens: options.children?.maxTokens ?? kept.childTokens ?? 0
  }
}

/** What a strategy may be told. */
export type Told = ChunkOptions & Partial<{ readonly [K in Exclude<keyof Kind, "blocks">]: Kind[K] | undefined }>

/**
 * Settings of a strategy: what it is told, else what is kept, else its defaults. `configuration` is the canonical text of all that changes
 * chunks.
 */
export const settings = (name: string, options: Told, kind: Kind, kept: Kept = {}): Settings => {
  const template = templateOf(options.context, kept.context)
  const own = {
    blocks: kind.blocks,
    sections: options.sections ?? kept.sections ?? kind.sections,
    pageBoundaries: options.pageBoundaries ?? kept.pageBoundaries ?? kind.pageBoundaries,
    pages: options.pages ?? kept.pages ?? kind.pages,
    furniture: options.furniture ?? kept.furniture ?? kind.furniture,
    minConfidence: options.minConfidence ?? kept.minConfidence ?? kind.minConfidence,
    ...budgetOf(options, kept)
  }
  const members = Object.entries({ ...own, context: template?.name ?? none })
  return {
    ...own,
    template,
    metadata: options.metadata,
    annotations: canonicalJson([version, typeof options.metadata === "object" ? options.metadata : {}]),
    configuration: JSON.stringify([name, ...members.toSorted(([left], [right]) => (left < right ? -1 : 1))])
  }
}
