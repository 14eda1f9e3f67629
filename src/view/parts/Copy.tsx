// @jsxRuntime automatic @jsxImportSource preact
/** A button that copies a text, and one that saves it as a file. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"

/** For a page without the right to the clipboard, which a server without TLS on another machine gives none. */
const copyByHand = (text: string): boolean => {
  const area = document.createElement("textarea")
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand("copy")
  area.remove()
  return done
}

const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

export const Copy = ({ text, what }: { text: () => string; what: string }): JSX.Element => {
  const [done, setDone] = useState<boolean | null>(null)
  const copy = async () => {
    setDone(await copied(text()))
    setTimeout(() => setDone(null), 2000)
  }
  return (
    <button type="button" class="small" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      <span aria-live="polite">{done === null ? "Copy" : done ? "Copied" : "Not copied"}</span>
    </button>
  )
}

/** Saves a file as the browser does with a download. */
export const save = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

export const Save = ({ name, text, type }: { name: string; text: () => string; type: string }): JSX.Element => (
  <button
    type="button"
    class="small"
    onClick={() => save(name, new Blob([text()], { type }))}
    aria-label={`Save ${name}`}
  >
    Save
  </button>
)
