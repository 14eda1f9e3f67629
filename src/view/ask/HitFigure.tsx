// @jsxRuntime automatic @jsxImportSource preact
/** The picture of a figure of a hit. */
import type { JSX } from "preact"
import type { Calls } from "../desk/calls.ts"
import { Fetched } from "../pages/Fetched.tsx"
import { widthFor } from "../pages/pictures.ts"

/** Width in points of the screen at which a figure is shown at most. */
const shown = 480

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
}): JSX.Element => (
  <Fetched
    of={`${hit} ${box}`}
    fetch={(signal) => calls.figure(hit, box, widthFor(shown * window.devicePixelRatio), signal)}
    label={label}
  >
    {(url) => <img src={url} alt={label} width={shown} />}
  </Fetched>
)
