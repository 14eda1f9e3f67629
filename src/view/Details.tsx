// @jsxRuntime automatic @jsxImportSource preact
/** What came of the document, in tabs. */
import type { ComponentChildren, JSX } from "preact"
import { grouped } from "../internal/base/figures.ts"
import type { Settings } from "../internal/look/messages.ts"
import { Answer } from "./Answer.tsx"
import { Chunks } from "./chunks/Chunks.tsx"
import { Code } from "./code/Code.tsx"
import type { Calls } from "./desk/calls.ts"
import type { Choices } from "./desk/choices.ts"
import type { Entry } from "./desk/desk.ts"
import { Working } from "./desk/Working.tsx"
import { MarkdownPanel } from "./markdown/MarkdownPanel.tsx"
import { Metadata } from "./Metadata.tsx"
import { Blocks } from "./pages/Blocks.tsx"
import { Copy, Save } from "./parts/Copy.tsx"
import { type Tab, Tabs } from "./parts/Tabs.tsx"
import { TroubleCard } from "./parts/TroubleCard.tsx"

export type Name = "markdown" | "blocks" | "chunks" | "metadata" | "answer" | "code"

export const Details = ({
  calls,
  choices,
  entry,
  onCancel,
  onRetry,
  onTab,
  settings,
  tab
}: {
  calls: Calls
  choices: Choices
  entry: Entry
  onCancel: () => void
  onRetry: () => void
  onTab: (tab: Name) => void
  settings: Settings
  tab: Name
}): JSX.Element => {
  const { chunked, chunkedWith, name, parsed, received, stage } = entry
  const markdown = parsed?.answer.data.markdown ?? ""
  const blocks = parsed?.answer.data.blocks ?? []
  const tabs: ReadonlyArray<Tab<Name>> = [
    { name: "markdown", title: "Markdown" },
    {
      name: "blocks",
      title: "Blocks",
      ...(parsed !== null && { count: grouped(blocks.reduce((sum, { items }) => sum + items.length, 0)) })
    },
    { name: "chunks", title: "Chunks", ...(chunked !== null && { count: grouped(chunked.chunks.length) }) },
    { name: "metadata", title: "Metadata" },
    { name: "answer", title: "Answer" },
    { name: "code", title: "Code" }
  ]
  const panel = (): ComponentChildren => {
    if (tab === "code") {
      const { chunks, parse } = choices
      return (
        <Code
          wish={{ name, chunks, parse, keyed: settings.keyed, origin: location.origin, text: received?.text === true }}
        />
      )
    }
    if (stage.step === "failed") {
      const title = stage.trouble.tag === "Stopped" ? "Stopped" : `${name} could not be parsed`
      return (
        <div class="scroll">
          <TroubleCard title={title} trouble={stage.trouble} onRetry={onRetry} />
        </div>
      )
    }
    if (parsed === null || received === null) return <Working entry={entry} onCancel={onCancel} />
    switch (tab) {
      case "markdown":
        return (
          <MarkdownPanel label="Markdown of the document" markdown={markdown} pane="details" verbatim={parsed.verbatim}>
            <Copy what="the Markdown" text={() => markdown} />
            <Save name={`${name}.md`} type="text/markdown" text={() => markdown} />
          </MarkdownPanel>
        )
      case "blocks":
        return (
          <Blocks
            drawn={settings.pictures && received.pages > 0 ? { calls, path: `documents/${received.id}` } : null}
            pages={blocks}
          />
        )
      case "metadata":
        return <Metadata parsed={parsed} received={received} />
      case "answer":
        return <Answer name={name} parsed={parsed} />
      default:
        if (entry.chunkTrouble !== null) {
          return <TroubleCard title="The document could not be split" trouble={entry.chunkTrouble} />
        }
        return chunked === null || chunkedWith === null ? (
          <p class="dim pad">Splitting …</p>
        ) : (
          <Chunks
            calls={calls}
            chunked={chunked}
            markdown={markdown}
            pages={parsed.pages.length}
            received={received}
            request={chunkedWith}
          />
        )
    }
  }
  return (
    <section class="pane details" aria-label="Details">
      <Tabs id="details" label="What came of the document" tabs={tabs} shown={tab} onChoose={onTab}>
        {panel()}
      </Tabs>
    </section>
  )
}
