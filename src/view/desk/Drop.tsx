// @jsxRuntime automatic @jsxImportSource preact
/** Files from a chooser, and files dropped anywhere in the window. */
import type { JSX } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"

export const Choose = ({
  extensions,
  label,
  large,
  onFiles
}: {
  extensions: ReadonlyArray<string>
  label: string
  large: boolean
  onFiles: (files: ReadonlyArray<File>) => void
}): JSX.Element => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class={large ? "primary large" : "primary"} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={extensions.map((extension) => `.${extension}`).join(",")}
        onChange={(event) => {
          onFiles(Array.from(event.currentTarget.files ?? []))
          event.currentTarget.value = ""
        }}
      />
    </>
  )
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true

/** A veil over the window while files are dragged across it; takes what is dropped. */
export const DropVeil = ({ onFiles }: { onFiles: (files: ReadonlyArray<File>) => void }): JSX.Element | null => {
  const [over, setOver] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  // Before the first paint: whoever sees the page can drop a file on it.
  useLayoutEffect(() => {
    // Each element that is entered or left fires its own event.
    let depth = 0
    const on = new AbortController()
    const listen = (name: "dragenter" | "dragleave" | "dragover" | "drop", call: (event: DragEvent) => void) =>
      window.addEventListener(
        name,
        (event) => {
          if (!holdsFiles(event)) return
          event.preventDefault()
          call(event)
        },
        { signal: on.signal }
      )
    listen("dragenter", () => setOver(++depth > 0))
    listen("dragleave", () => setOver(--depth > 0))
    listen("dragover", () => {})
    listen("drop", (event) => {
      depth = 0
      setOver(false)
      take.current(Array.from(event.dataTransfer?.files ?? []))
    })
    return () => on.abort()
  }, [])
  return over ? (
    <div class="veil" aria-hidden="true">
      <p>Drop to look at it</p>
    </div>
  ) : null
}
