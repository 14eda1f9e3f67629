import type { Meter } from "./meter.ts"
import type { Outline } from "./outline.ts"
import { contextShare } from "./units.ts"

/** A heading path as text, and its tokens. */
export interface Rendered {
  readonly text: string
  readonly tokens: number
}

const none: Rendered = { text: "", tokens: 0 }

/** No token is longer than this many characters in any encoding that is worth asking. */
const longestToken = 128

/** The heading paths that are put before chunks, rendered once for every section. */
export class Context {
  private readonly cache = new Map<number, Rendered>()
  private readonly meter: Meter
  private readonly outline: Outline
  private readonly enabled: boolean

  constructor(meter: Meter, outline: Outline, enabled: boolean) {
    this.meter = meter
    this.outline = outline
    this.enabled = enabled
  }

  /** The path to a section, the section included: at most a quarter of the budget, outer headings left out first. */
  of(section: number): Rendered {
    if (!this.enabled || section < 0) {
      return none
    }
    const known = this.cache.get(section)
    if (known !== undefined) {
      return known
    }
    const rendered = this.within(section, Math.floor(this.meter.maxTokens * contextShare))
    this.cache.set(section, rendered)
    return rendered
  }

  /** The same in at most so many tokens. */
  within(section: number, limit: number): Rendered {
    const path = this.enabled && limit > 0 ? this.outline.path(section).map(({ text }) => text) : []
    for (let from = 0; from < path.length; from++) {
      const text = `${path.slice(from).join(" > ")}\n\n`
      const tokens = text.length > limit * longestToken ? limit + 1 : this.meter.count(text)
      if (tokens <= limit) {
        return { text, tokens }
      }
    }
    return none
  }
}
