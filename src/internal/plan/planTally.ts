import type * as Discovery from "../../Discovery.ts"
import { type Message, problem as problemOf } from "../base/message.ts"

/** The same words as in `PlannedFile`, which says what each of them means. */
export type Action = "new" | "changed" | "unchanged" | "removed" | "kept" | "tooLarge" | "unsupported" | "failed"

/** The planned action for one file, and its cost. */
export interface Planned {
  readonly source: string
  readonly action: Action
  readonly reason?: Message | undefined
  readonly pages?: number | undefined
  readonly credits?: number | undefined
  readonly tokens?: number | undefined
  readonly fromCache?: boolean | undefined
  /** Figures that are estimates. */
  readonly estimated?: ReadonlyArray<Figure> | undefined
}

type Figure = "pages" | "credits" | "tokens"

const figures: ReadonlyArray<Figure> = ["pages", "credits", "tokens"]

const shown = ({ action, pages, reason, source }: Planned) => ({
  source,
  action,
  ...(pages === undefined ? {} : { pages }),
  ...reasonOf(reason)
})

const reasonOf = (reason: Message | undefined) => {
  if (reason === undefined) return {}
  const { problem, template } = problemOf(reason)
  return { reason: problem, ...(template !== undefined && { template }) }
}

/** Sums up a plan. Holds one short record per file. */
export class PlanTally {
  /** True when not everything below the root could be read. */
  incomplete = false
  /** Files and problems. */
  found = 0
  private readonly files: Array<Planned> = []
  private readonly counts: Record<Action, number> = {
    new: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    kept: 0,
    tooLarge: 0,
    unsupported: 0,
    failed: 0
  }
  private readonly types = new Map<string, number>()
  private readonly sums = { fromCache: 0, pages: 0, credits: 0, tokens: 0 }
  private readonly estimated = new Set<Figure>()

  readonly add = (planned: Planned): void => {
    this.counts[planned.action] += 1
    this.sums.fromCache += planned.fromCache === true ? 1 : 0
    this.sums.pages += planned.pages ?? 0
    this.sums.credits += planned.credits ?? 0
    this.sums.tokens += planned.tokens ?? 0
    for (const figure of planned.estimated ?? []) this.estimated.add(figure)
    this.files.push(planned)
  }

  readonly problem = (found: Discovery.Problem): void => {
    if (found._tag === "Unsupported") {
      const reason = found.extension === "" ? "a file without an extension" : `files of type .${found.extension}`
      this.unsupported(found.extension)
      this.add({ source: found.path, action: "unsupported", reason })
      return
    }
    this.incomplete ||= found.folder || found.uncertain === true
    const { error } = found
    const action =
      error._tag === "FileTooLarge" ? "tooLarge" : error._tag === "UnsupportedFile" ? "unsupported" : "failed"
    if (error._tag === "UnsupportedFile") this.unsupported(error.extension)
    this.add({ source: found.path, action, reason: error.message })
  }

  private unsupported(extension: string): void {
    this.types.set(extension, (this.types.get(extension) ?? 0) + 1)
  }

  readonly sum = () => {
    const { new: fresh, changed, unchanged, removed, tooLarge, unsupported } = this.counts
    return {
      new: fresh,
      changed,
      unchanged,
      removed,
      tooLarge,
      unsupported,
      unsupportedTypes: Object.fromEntries(this.types),
      ...this.sums,
      estimated: figures.filter((figure) => this.estimated.has(figure)),
      files: this.files
        .toSorted((left, right) => (left.source < right.source ? -1 : left.source > right.source ? 1 : 0))
        .map(shown)
    }
  }
}
