import type { ParsedDocument } from "../../../ParsedDocument.ts"
import type { Template } from "../chunkOptions.ts"
import type { Rendered, TokenMap } from "../tokens/TokenMap.ts"
import type { Outline } from "./Outline.ts"

export const none: Rendered = { text: "", tokens: 0 }

/** Part of the budget that context may take. */
const share = 0.25

/** No token is longer than this many characters in any encoding that is worth asking. */
const longestToken = 128

/** The text of a document with its outline, and the budget of a chunk. */
export interface Measures {
  readonly map: TokenMap
  readonly maxTokens: number
  readonly outline: Outline
}

/** The same, with the context that is put before chunks. */
export interface Packing extends Measures {
  readonly context: Context
}

/** The text put before chunks, rendered once for every section. */
export class Context {
  private readonly cache = new Map<number, Rendered>()
  private readonly map: TokenMap
  private readonly maxTokens: number
  private readonly outline: Outline
  private readonly document: ParsedDocument
  private readonly template: Template | undefined

  constructor({ map, maxTokens, outline }: Measures, document: ParsedDocument, template: Template | undefined) {
    this.map = map
    this.maxTokens = maxTokens
    this.outline = outline
    this.document = document
    this.template = template
  }

  /** The context of a section, -1 above the first: at most a quarter of the budget, outer headings left out first. */
  of(section: number): Rendered {
    const known = this.cache.get(section)
    if (known !== undefined) {
      return known
    }
    const rendered = this.within(section, Math.floor(this.maxTokens * share))
    this.cache.set(section, rendered)
    return rendered
  }

  /** The same within `limit` tokens. */
  within(section: number, limit: number): Rendered {
    const { template } = this
    if (template === undefined || limit <= 0) {
      return none
    }
    const path = this.outline.path(section)
    for (let from = 0; from === 0 || from < path.length; from++) {
      const body = template.render(from === 0 ? path : path.slice(from), this.document)
      const text = body === "" ? "" : `${body}\n\n`
      const tokens = text.length > limit * longestToken ? limit + 1 : this.map.count(text)
      if (tokens <= limit) {
        return { text, tokens }
      }
    }
    return none
  }
}
