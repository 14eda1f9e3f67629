// @jsxRuntime automatic @jsxImportSource preact
/** The shown document: its pages, or its Markdown where it has none, and its details. */
import type { JSX } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Settings } from "../internal/look/messages.ts"
import type { Choices } from "./desk/choices.ts"
import type { Desk, Entry } from "./desk/desk.ts"
import { Light, LightContext } from "./desk/light.ts"
import { Links } from "./desk/links.ts"
import { Details, type Name } from "./Details.tsx"
import { MarkdownPanel } from "./markdown/MarkdownPanel.tsx"
import { Pages } from "./pages/Pages.tsx"
import { Shown } from "./parts/Shown.tsx"

/** The pane that a narrow window shows. */
type Side = "pages" | "details"

const Left = ({ desk, entry, settings }: { desk: Desk; entry: Entry; settings: Settings }): JSX.Element => {
  const { parsed, received } = entry
  const drawn = received?.pages ?? 0
  if (received !== null && (drawn > 0 || (parsed?.pages.length ?? 0) > 0)) {
    return (
      <Pages
        key={received.id}
        calls={desk.calls}
        count={drawn}
        id={received.id}
        parsed={parsed}
        pictured={settings.pictures}
      />
    )
  }
  return (
    <section class="pane pages" aria-label="Document">
      {parsed === null ? (
        <div class="scroll">{entry.stage.step !== "failed" && <div class="ghost" aria-hidden="true" />}</div>
      ) : (
        <MarkdownPanel
          label="Document, as its Markdown"
          markdown={parsed.answer.data.markdown ?? ""}
          pane="pages"
          verbatim={parsed.verbatim}
        />
      )}
    </section>
  )
}

export const Document = ({
  choices,
  desk,
  entry,
  settings
}: {
  choices: Choices
  desk: Desk
  entry: Entry
  settings: Settings
}): JSX.Element => {
  const [light] = useState(() => new Light())
  const [chosen, setChosen] = useState<Name | null>(null)
  const [sideChosen, setSide] = useState<Side | null>(null)
  const { chunked, parsed, received, stage } = entry
  // Progress and failures stand on the right, so a narrow window shows that side until there is something on the left.
  const empty = stage.step === "failed" || (parsed === null && (received === null || received.pages === 0))
  const side = sideChosen ?? (empty ? "details" : "pages")
  const links = useMemo(() => new Links(parsed, chunked), [parsed, chunked])
  useEffect(() => light.relink(links), [light, links])
  // The Markdown stands on the left already where there are no pages.
  const tab = chosen ?? (received !== null && received.pages === 0 ? "chunks" : "markdown")
  return (
    <LightContext.Provider value={light}>
      <div
        class={`document side-${side}`}
        onKeyDown={(event) => {
          if (event.key === "Escape") light.clear()
        }}
      >
        <h1 class="unseen">
          <Shown text={entry.name} />
        </h1>
        <div class="sides" role="group" aria-label="Part of the page">
          <button type="button" aria-pressed={side === "pages"} onClick={() => setSide("pages")}>
            {received === null || received.pages > 0 ? "Pages" : "Document"}
          </button>
          <button type="button" aria-pressed={side === "details"} onClick={() => setSide("details")}>
            Details
          </button>
        </div>
        <Left desk={desk} entry={entry} settings={settings} />
        <Details
          calls={desk.calls}
          choices={choices}
          entry={entry}
          settings={settings}
          tab={tab}
          onTab={setChosen}
          onCancel={() => desk.cancel(entry.key)}
          onRetry={() => desk.again(entry.key)}
        />
      </div>
    </LightContext.Provider>
  )
}
