// @jsxRuntime automatic @jsxImportSource preact
/** The picture of a figure of a hit, fetched when it is shown. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Calls } from "../desk/calls.ts"
import { widthFor } from "../pages/pictures.ts"
import { Shown } from "../parts/Shown.tsx"

/** Width in points of the screen at which a figure is shown at most. */
const shown = 480

type Got = { readonly url: string } | { readonly trouble: string }

export const HitFigure = ({
  box,
  calls,
  hit,
  label
}: {
  /** Position of its box among those of the hit. */
  box: number
  calls: Calls
  hit: string
  label: string
}): JSX.Element => {
  const [got, setGot] = useState<Got | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    let url: string | undefined
    void calls.figure(hit, box, widthFor(shown * window.devicePixelRatio), abort.signal).then((outcome) => {
      if (abort.signal.aborted) return
      if (outcome.ok) url = URL.createObjectURL(outcome.value)
      setGot(url === undefined ? { trouble: outcome.ok ? "" : outcome.trouble.message } : { url })
    })
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [box, calls, hit])
  return (
    <figure class="hit-figure" aria-busy={got === null}>
      {got !== null && "url" in got && <img src={got.url} alt={label} width={shown} />}
      <figcaption>{got !== null && "trouble" in got ? <Shown text={got.trouble} /> : label}</figcaption>
    </figure>
  )
}
