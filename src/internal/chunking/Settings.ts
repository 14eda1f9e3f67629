import { canonicalJson } from "../base/canonicalJson.ts"
import type { ChunkOptions, Template } from "./chunkOptions.ts"
import { version } from "./cite/Places.ts"

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

const templateOf = (context: ChunkOptions["context"]): Template | undefined =>
  context === false ? undefined : context === undefined || context === true ? headingPath : context

/** Settings of a strategy; `configuration` is the canonical text of all that changes chunks. */
export const settings = (name: string, options: ChunkOptions, kind: Kind): Settings => {
  const template = templateOf(options.context)
  const own = {
    ...kind,
    sections: options.sections ?? kind.sections,
    pageBoundaries: options.pageBoundaries ?? kind.pageBoundaries,
    maxTokens: Math.max(1, Math.floor(options.maxTokens ?? 512)),
    minTokens: options.minTokens ?? 0,
    overlapTokens: options.overlapTokens ?? 0,
    childTokens: options.children?.maxTokens ?? 0
  }
  const members = Object.entries({ ...own, context: template?.name ?? "none" })
  return {
    ...own,
    template,
    metadata: options.metadata,
    annotations: canonicalJson([version, typeof options.metadata === "object" ? options.metadata : {}]),
    configuration: JSON.stringify([name, ...members.toSorted(([left], [right]) => (left < right ? -1 : 1))])
  }
}
