// @jsxRuntime automatic @jsxImportSource preact
/** Saves the chunks that are shown as JSON lines, with the ids that a store has for them under a root. */
import type { JSX } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { ChunkRequest, Received } from "../../internal/look/messages.ts"
import type { Calls } from "../desk/calls.ts"
import { save } from "../parts/Copy.tsx"
import { Shown } from "../parts/Shown.tsx"

export const Export = ({
  calls,
  received: { id, name, root: given },
  request
}: {
  calls: Calls
  received: Received
  /** Settings of the chunks that are shown. */
  request: ChunkRequest
}): JSX.Element => {
  const field = useId()
  const [root, setRoot] = useState(given)
  const [said, setSaid] = useState("")
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const send = async () => {
    abort.current?.abort()
    const { signal } = (abort.current = new AbortController())
    const outcome = await calls.lines(id, { ...request, root }, signal)
    if (signal.aborted) return
    if (outcome.ok) save(`${name}.chunks.jsonl`, outcome.value)
    setSaid(outcome.ok ? "Saved." : outcome.trouble.message)
  }
  return (
    <form
      class="export"
      aria-label="Save the chunks"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <button type="submit" class="small" aria-keyshortcuts="S" disabled={root === ""}>
        Save as JSON lines
      </button>
      <label for={field} title="First part of the id of each document, on which the ids of its chunks depend">
        Root of the ids
      </label>
      <input
        id={field}
        value={root}
        maxLength={255}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setRoot(event.currentTarget.value)}
      />
      <span class="dim" role="status">
        <Shown text={said} />
      </span>
    </form>
  )
}
