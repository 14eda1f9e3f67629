// @jsxRuntime automatic @jsxImportSource preact
/** A picture that is fetched when it is shown. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Outcome } from "../desk/calls.ts"
import { Shown } from "../parts/Shown.tsx"

type Got = { readonly url: string } | { readonly trouble: string }

/** `of` names the picture: another one is fetched when it changes. `children` get its address. */
export const Fetched = ({
  children,
  fetch,
  label,
  of
}: {
  children: (url: string) => ComponentChildren
  fetch: (signal: AbortSignal) => Promise<Outcome<Blob>>
  label: string
  of: string
}): JSX.Element => {
  const [got, setGot] = useState<Got | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    let url: string | undefined
    void fetch(abort.signal).then((outcome) => {
      if (abort.signal.aborted) return
      if (outcome.ok) url = URL.createObjectURL(outcome.value)
      setGot(url === undefined ? { trouble: outcome.ok ? "" : outcome.trouble.message } : { url })
    })
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [of])
  return (
    <figure class="fetched" aria-busy={got === null}>
      {got !== null && "url" in got && children(got.url)}
      <figcaption>{got !== null && "trouble" in got ? <Shown text={got.trouble} /> : label}</figcaption>
    </figure>
  )
}
