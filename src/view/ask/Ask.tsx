// @jsxRuntime automatic @jsxImportSource preact
/** A search box for the store: hits with their scores, and the pages that they are on. */
import type { JSX } from "preact"
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { counted, timed } from "../../internal/base/figures.ts"
import type { Found, StoreSettings } from "../../internal/look/messages.ts"
import type { Calls } from "../desk/calls.ts"
import { useStore } from "../desk/store.ts"
import { Shown } from "../parts/Shown.tsx"
import { TroubleCard } from "../parts/TroubleCard.tsx"
import { readEarly, removeEarly } from "./early.ts"
import { focusHit, HitList } from "./HitList.tsx"
import { HitSheets } from "./HitSheets.tsx"
import { hitsOf, limits, Question } from "./question.ts"

/** Most characters of a query. */
const longest = 2000

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName))

/** Moves the focus to the field when `/` is pressed outside of any field. */
const useSlash = (field: { readonly current: HTMLInputElement | null }): void => {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    window.addEventListener("keydown", focus)
    return () => window.removeEventListener("keydown", focus)
  }, [field])
}

/** The store and its size in words. */
const About = ({ store }: { store: StoreSettings }): JSX.Element => (
  <p class="dim about">
    <code>
      <Shown text={store.name} />
    </code>
    {store.documents !== null && ` · ${counted(store.documents, "document")}`}
    {store.chunks !== null && ` · ${counted(store.chunks, "chunk")}`}
    {store.vectors ? " · by words and by meaning" : " · by words"}
    {store.reranked !== null && ` · in the order of ${store.reranked}`}
  </p>
)

const Nothing = ({ found, onWeak }: { found: Found; onWeak: () => void }): JSX.Element => (
  <section class="nothing">
    <h2>Nothing found</h2>
    <p>
      <Shown text={found.nothing ?? ""} />
    </p>
    {found.nearest === null ? (
      <p class="dim">Try other words, or fewer of them.</p>
    ) : (
      <button type="button" onClick={onWeak}>
        Show the nearest all the same
      </button>
    )}
  </section>
)

/** The form, and one of five states of its answer. Long, since its markup stands in the order of the page. */
export const Ask = ({
  calls,
  onLocked,
  pictured,
  store
}: {
  calls: Calls
  /** Called when the server wants a key, or another one. */
  onLocked: () => void
  /** False where no picture may be made. */
  pictured: boolean
  store: StoreSettings
}): JSX.Element => {
  const id = useId()
  const [question] = useState(() => new Question(calls, onLocked))
  const state = useStore(question, (whole) => whole)
  const [early] = useState(readEarly)
  const [query, setQuery] = useState(early?.query ?? "")
  const [limit, setLimit] = useState<number>(10)
  const [single, setSingle] = useState(false)
  const ask = (words: string, weak = false) => void question.ask(words, limit, { single, weak })
  const field = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLDivElement>(null)
  useSlash(field)
  // Before anything else can be typed.
  useLayoutEffect(() => {
    field.current?.focus()
    if (early !== null) field.current?.setSelectionRange(...early.selection)
    removeEarly()
    if (early?.asked === true) ask(early.query)
    return () => question.close()
  }, [question])
  const { answer, chosen, looked, said } = state
  const hits = hitsOf(state)
  const hit = hits[chosen]
  return (
    <div class="ask">
      <h1 class="unseen">Search</h1>
      <form
        class="ask-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          ask(query)
        }}
      >
        <label class="unseen" for={`${id}-query`}>
          Search the store
        </label>
        <input
          id={`${id}-query`}
          ref={field}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="Ask the documents"
          maxLength={longest}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" || hits.length === 0) return
            event.preventDefault()
            focusHit(area.current, chosen)
          }}
        />
        <label class="limit">
          <span class="dim">Hits</span>
          <select value={limit} onChange={(event) => setLimit(Number(event.currentTarget.value))}>
            {limits.map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
        <label class="limit">
          <input type="checkbox" checked={single} onChange={(event) => setSingle(event.currentTarget.checked)} />
          <span class="dim">One per document</span>
        </label>
        <button type="submit" class="primary" disabled={query.trim() === ""}>
          Search
        </button>
      </form>
      <About store={store} />
      <p class="unseen" role="status">
        {said}
      </p>
      <div class="answer" ref={area} aria-busy={answer.step === "searching"}>
        {answer.step === "none" && (
          <section class="nothing">
            <h2>Search the store</h2>
            <p class="dim">
              Each hit shows its passage, its scores and its place; next to it stands the page that it is on.
            </p>
            <p class="dim">
              <kbd>/</kbd> goes to the search box, <kbd>↓</kbd> and <kbd>↑</kbd> go through the hits.
            </p>
          </section>
        )}
        {answer.step === "searching" && <p class="nothing dim">Searching …</p>}
        {answer.step === "failed" && (
          <div class="nothing">
            <TroubleCard title="The search failed" trouble={answer.trouble} onRetry={() => ask(answer.query)} />
          </div>
        )}
        {answer.step === "found" && hit === undefined && (
          <Nothing found={answer.found} onWeak={() => ask(answer.query, true)} />
        )}
        {answer.step === "found" && hit !== undefined && (
          <>
            <div class="hit-side">
              <p class="dim sum">
                {counted(hits.length, "hit")} in {timed(answer.found.took)}
              </p>
              {answer.found.note !== null && (
                <p class="warn">
                  <Shown text={answer.found.note} />
                </p>
              )}
              <HitList
                hits={hits}
                chosen={chosen}
                onChoose={(at) => question.choose(at)}
                onLeave={() => field.current?.focus()}
              />
            </div>
            {looked !== null && looked.id === hit.id && (
              <HitSheets key={hit.id} calls={calls} hit={hit} looked={looked} pictured={pictured} />
            )}
          </>
        )}
      </div>
    </div>
  )
}
