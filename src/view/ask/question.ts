/** The question that is asked, its hits, and the one that is chosen. */
import type { Found, Hit, HitPage, NoPicture } from "../../internal/look/messages.ts"
import type { Calls, Trouble } from "../desk/calls.ts"
import { Store } from "../desk/store.ts"

/** Pages of the chosen hit. */
export interface Looked {
  /** Id of the hit. */
  readonly id: string
  readonly pages: ReadonlyArray<HitPage>
  /** Null when they can be drawn. */
  readonly missing: NoPicture | null
  /** True once the document's file was read, or need not be. */
  readonly done: boolean
}

export type Answer =
  | { readonly step: "none" }
  | { readonly step: "searching"; readonly query: string }
  | { readonly step: "found"; readonly query: string; readonly found: Found }
  | { readonly step: "failed"; readonly query: string; readonly trouble: Trouble }

export interface QuestionState {
  readonly answer: Answer
  /** Position of the chosen hit; 0 without hits. */
  readonly chosen: number
  readonly looked: Looked | null
  /** Last event, for a screen reader. */
  readonly said: string
}

/** Wishes about hits that the page leaves open. */
export interface Wishes {
  /** One hit of each document. */
  readonly single?: boolean
  /** Hits whose relevance is low too. */
  readonly weak?: boolean
}

/** Most hits, as a choice of the page. */
export const limits = [5, 10, 20, 50] as const

/** Hits of an answer. */
export const hitsOf = ({ answer }: QuestionState): ReadonlyArray<Hit> =>
  answer.step === "found" ? answer.found.hits : []

const saidOf = ({ hits }: Found): string => (hits.length === 1 ? "1 hit" : `${hits.length} hits`)

/** Time in milliseconds that a hit has to stay chosen before its document is read. */
const rest = 120

/** A new question gives up the one before it; an answer that comes late is not shown. */
export class Question extends Store<QuestionState> {
  readonly #calls: Calls
  /** Called when the server wants a key, or another one. */
  readonly #onLocked: () => void
  #abort = new AbortController()
  #looking = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(calls: Calls, onLocked: () => void) {
    super({ answer: { step: "none" }, chosen: 0, looked: null, said: "" })
    this.#calls = calls
    this.#onLocked = onLocked
  }

  async ask(query: string, limit: number, { single = false, weak = false }: Wishes = {}): Promise<void> {
    if (query.trim() === "") return
    this.close()
    const { signal } = (this.#abort = new AbortController())
    this.set({ answer: { step: "searching", query }, chosen: 0, looked: null, said: "Searching" })
    const outcome = await this.#calls.search(
      { query, limit, ...(weak && { minScore: 0 }), ...(single && { perDocument: 1 }) },
      signal
    )
    if (signal.aborted) return
    if (!outcome.ok) {
      const { trouble } = outcome
      this.set({ ...this.state, answer: { step: "failed", query, trouble }, said: trouble.message })
      if (trouble.status === 401) this.#onLocked()
      return
    }
    const found = outcome.value
    this.set({ ...this.state, answer: { step: "found", query, found }, said: found.nothing ?? saidOf(found) })
    this.choose(0)
  }

  /** Chooses the hit at this position, if there is one, and reads its pages. */
  choose(at: number): void {
    const hit = hitsOf(this.state)[at]
    if (hit === undefined || (this.state.looked?.id === hit.id && this.state.chosen === at)) return
    clearTimeout(this.#timer)
    this.#looking.abort()
    const { id, missing, pages } = hit
    this.set({ ...this.state, chosen: at, looked: { id, pages, missing, done: missing !== null } })
    if (missing === null) this.#timer = setTimeout(() => void this.#look(hit), rest)
  }

  /** Gives up what is under way. */
  close(): void {
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#looking.abort()
  }

  async #look({ id, pages }: Hit): Promise<void> {
    const { signal } = (this.#looking = new AbortController())
    const outcome = await this.#calls.hit(id, signal)
    if (signal.aborted) return
    if (outcome.ok) return this.set({ ...this.state, looked: { id, ...outcome.value, done: true } })
    const { message, remedy, status } = outcome.trouble
    this.set({ ...this.state, looked: { id, pages, missing: { reason: "not-readable", message, remedy }, done: true } })
    if (status === 401) this.#onLocked()
  }
}
