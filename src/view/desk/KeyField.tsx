// @jsxRuntime automatic @jsxImportSource preact
/** A field for the key of a server that wants one; it is kept in memory only. */
import type { JSX } from "preact"
import { useId, useState } from "preact/hooks"

export const KeyField = ({ onKey, refused }: { onKey: (key: string) => void; refused: boolean }): JSX.Element => {
  const id = useId()
  const [key, setKey] = useState("")
  return (
    <form
      class="key"
      aria-label="Key of the server"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() !== "") onKey(key.trim())
      }}
    >
      <label for={id}>{refused ? "The server did not accept this key" : "This server wants a key"}</label>
      <div class="line">
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={key}
          aria-invalid={refused}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={key.trim() === ""}>
          Use
        </button>
      </div>
      <p class="hint">Forgotten when you close the page.</p>
    </form>
  )
}
