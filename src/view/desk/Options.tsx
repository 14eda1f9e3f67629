// @jsxRuntime automatic @jsxImportSource preact
/** Options of the parse, which ask for a new one, and options of the chunks, which are split again at once. */
import type { ComponentChildren, JSX } from "preact"
import { useId } from "preact/hooks"
import type { Trouble } from "./calls.ts"
import { type Choices, chunkers, formats, modes, problem, tokenizers } from "./choices.ts"

const Field = ({ children, label }: { children: (id: string) => ComponentChildren; label: string }): JSX.Element => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  )
}

const Select = <A extends string>({
  label,
  onChoose,
  options,
  value
}: {
  label: string
  onChoose: (value: A) => void
  options: ReadonlyArray<A>
  value: string
}): JSX.Element => (
  <Field label={label}>
    {(id) => (
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option === event.currentTarget.value)
          if (chosen !== undefined) onChoose(chosen)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** `onChoose` gets NaN for a text that is no number, and null for none. */
const Whole = ({
  label,
  max,
  min,
  onChoose,
  placeholder,
  value
}: {
  label: string
  max: number
  min: number
  onChoose: (value: number | null) => void
  placeholder?: string
  value: number | null
}): JSX.Element => (
  <Field label={label}>
    {(id) => (
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        step={1}
        placeholder={placeholder ?? ""}
        value={value === null || Number.isNaN(value) ? "" : `${value}`}
        onInput={(event) => {
          const text = event.currentTarget.value.trim()
          onChoose(text === "" ? null : Number(text))
        }}
      />
    )}
  </Field>
)

const formatTitles: Readonly<Record<(typeof formats)[number], string>> = {
  html: "HTML",
  rawHtml: "raw HTML",
  links: "links",
  images: "images",
  summary: "summary (needs --model)"
}

/** Most tokens that a chunk can be asked to have here. */
const mostTokens = 1_000_000

/** Sizes of chunks: label, option, least value. */
const sizes = [
  ["Max tokens", "maxTokens", 1],
  ["Overlap", "overlap", 0],
  ["Min tokens", "minTokens", 0]
] as const

/** Long, since a form is read from top to bottom as it is shown. */
export const Options = ({
  changed,
  choices,
  onChoose,
  onParse,
  trouble
}: {
  /** True when the shown document was parsed with other options. */
  changed: boolean
  choices: Choices
  onChoose: (choices: Choices) => void
  /** Null while nothing can be parsed again. */
  onParse: (() => void) | null
  trouble: Trouble | null
}): JSX.Element => {
  const { chunks, parse } = choices
  const ofParse = (change: Partial<Choices["parse"]>) => onChoose({ chunks, parse: { ...parse, ...change } })
  const ofChunks = (change: Partial<Choices["chunks"]>) => onChoose({ parse, chunks: { ...chunks, ...change } })
  const wrong = problem(chunks)
  const maxPages = parse.maxPages
  const wrongPages = maxPages !== null && !(Number.isInteger(maxPages) && maxPages >= 1 && maxPages <= 10_000)
  return (
    <form class="options" aria-label="Options" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>Chunks</legend>
        <Select
          label="Chunker"
          options={chunkers}
          value={chunks.chunker}
          onChoose={(chunker) => ofChunks({ chunker })}
        />
        {sizes.map(([label, member, min]) => (
          <Whole
            key={member}
            label={label}
            min={min}
            max={mostTokens}
            value={chunks[member]}
            onChoose={(value) => ofChunks({ [member]: value ?? Number.NaN })}
          />
        ))}
        <Select
          label="Tokenizer"
          options={tokenizers}
          value={chunks.tokenizer}
          onChoose={(tokenizer) => ofChunks({ tokenizer })}
        />
        <p class="hint" role="status">
          {wrong !== null ? (
            <span class="warn">{wrong}</span>
          ) : trouble !== null ? (
            <span class="warn">{trouble.message}</span>
          ) : null}
        </p>
      </fieldset>
      <fieldset>
        <legend>Parse</legend>
        <Select label="PDF mode" options={modes} value={parse.mode} onChoose={(mode) => ofParse({ mode })} />
        <Whole
          label="Max pages"
          min={1}
          max={10_000}
          placeholder="all"
          value={maxPages}
          onChoose={(value) => ofParse({ maxPages: value })}
        />
        <div class="checks" role="group" aria-label="More formats">
          {formats.map((format) => (
            <label class="check" key={format}>
              <input
                type="checkbox"
                checked={parse.formats.includes(format)}
                onChange={(event) =>
                  ofParse({
                    formats: formats.filter((other) =>
                      other === format ? event.currentTarget.checked : parse.formats.includes(other)
                    )
                  })
                }
              />
              {formatTitles[format]}
            </label>
          ))}
          <label class="check">
            <input
              type="checkbox"
              checked={parse.onlyMainContent}
              onChange={(event) => ofParse({ onlyMainContent: event.currentTarget.checked })}
            />
            main content only
          </label>
        </div>
        {wrongPages && <p class="hint warn">Pages are a whole number from 1 to 10,000, or empty for all.</p>}
        <button
          type="button"
          class={changed ? "primary" : ""}
          disabled={onParse === null || wrongPages}
          onClick={() => onParse?.()}
        >
          Parse again
        </button>
        {changed && <p class="hint">Shown is a parse with other options.</p>}
      </fieldset>
    </form>
  )
}
