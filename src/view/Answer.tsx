// @jsxRuntime automatic @jsxImportSource preact
/** The answer of the service as JSON; long texts and lists are shortened on the screen, not in what is copied and saved. */
import type { JSX } from "preact"
import { useMemo, useState } from "preact/hooks"
import { grouped } from "../internal/base/figures.ts"
import type { Parsed } from "../internal/look/messages.ts"
import { Copy, Save } from "./parts/Copy.tsx"
import { Shown } from "./parts/Shown.tsx"

/** Most code units on the screen. */
const most = 60_000

/** Most code units of a text, and items of a list, on the screen. */
const longest = { text: 600, items: 12 }

/** The value with long texts and lists cut. */
export const shortened = (value: unknown): unknown => {
  if (typeof value === "string") {
    return value.length > longest.text
      ? `${value.slice(0, longest.text)}… (${grouped(value.length - longest.text)} more characters)`
      : value
  }
  if (Array.isArray(value)) {
    const items: ReadonlyArray<unknown> = value
    const kept = items.slice(0, longest.items).map(shortened)
    return items.length > longest.items ? [...kept, `… ${grouped(items.length - longest.items)} more`] : kept
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
  }
  return value
}

export const Answer = ({ name, parsed }: { name: string; parsed: Parsed }): JSX.Element => {
  const [whole, setWhole] = useState(false)
  const text = useMemo(() => JSON.stringify(whole ? parsed.answer : shortened(parsed.answer), null, 2), [parsed, whole])
  const full = () => JSON.stringify(parsed.answer, null, 2)
  const cut = text.length > most
  return (
    <div class="stack">
      <div class="bar">
        <label class="check">
          <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.currentTarget.checked)} />
          Whole texts and lists
        </label>
        <span class="grow" />
        <Copy what="the answer" text={full} />
        <Save name={`${name}.json`} type="application/json" text={full} />
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Answer of the service">
        <pre class="code">
          <code>
            <Shown text={cut ? text.slice(0, most) : text} />
          </code>
        </pre>
        {cut && (
          <p class="dim">
            {grouped(text.length - most)} more characters are not shown; copy or save the answer to have all of it.
          </p>
        )}
      </div>
    </div>
  )
}
