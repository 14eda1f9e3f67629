// @jsxRuntime automatic @jsxImportSource preact
/** The dropped documents; one of them is shown. */
import type { JSX } from "preact"
import { percent, sized } from "../../internal/base/figures.ts"
import { Shown } from "../parts/Shown.tsx"
import type { Entry, Stage } from "./desk.ts"

const stateOf = (stage: Stage): string => {
  switch (stage.step) {
    case "waiting":
      return "waits"
    case "sending":
      return `sent ${percent(stage.share)}`
    case "parsing":
      return stage.pages === null
        ? "is parsed …"
        : `${percent(stage.pages.done / Math.max(1, stage.pages.of))} parsed …`
    case "failed":
      return stage.trouble.tag
    default:
      return ""
  }
}

export const Shelf = ({
  entries,
  onRemove,
  onShow,
  shown
}: {
  entries: ReadonlyArray<Entry>
  onRemove: (key: number) => void
  onShow: (key: number) => void
  shown: number | null
}): JSX.Element => (
  <ul class="shelf" aria-label="Documents">
    {entries.map(({ bytes, key, name, stage }) => (
      <li key={key} class={`${stage.step}${key === shown ? " shown" : ""}`}>
        <button type="button" class="name" aria-current={key === shown} onClick={() => onShow(key)}>
          <b>
            <Shown text={name} />
          </b>
          <small>{stateOf(stage) || sized(bytes)}</small>
        </button>
        <button type="button" class="remove" aria-label={`Remove ${name}`} title="Remove" onClick={() => onRemove(key)}>
          ×
        </button>
      </li>
    ))}
  </ul>
)
