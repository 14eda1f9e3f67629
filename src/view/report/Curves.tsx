// @jsxRuntime automatic @jsxImportSource preact
/** Recall of several searches over a number of hits, or of tokens, as lines. */
import type { JSX } from "preact"
import { grouped } from "../../internal/base/figures.ts"
import { Shown } from "../parts/Shown.tsx"

export interface Curve {
  readonly name: string
  /** From 0 to 1, one for each place on the axis. */
  readonly values: ReadonlyArray<number>
}

const [width, height, left, bottom, top] = [320, 200, 30, 20, 8]

const y = (value: number): number => top + (1 - value) * (height - top - bottom)

/** Colours of lines, which begin again after the last. */
const colours = 8

export const colourOf = (at: number): string => `line${at % colours}`

/** `places` are the numbers on the axis, at equal distances. */
export const Curves = ({
  curves,
  places,
  title
}: {
  title: string
  places: ReadonlyArray<number>
  curves: ReadonlyArray<Curve>
}): JSX.Element | null => {
  if (places.length < 2) return null
  const x = (at: number): number => left + 12 + (at * (width - left - 36)) / (places.length - 1)
  return (
    <figure>
      <svg class="curves" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {[0, 0.25, 0.5, 0.75, 1].map((value) => (
          <g key={value}>
            <line class="grid" x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text x={left - 4} y={y(value) + 3} text-anchor="end">
              {value}
            </text>
          </g>
        ))}
        {places.map((place, at) => (
          <text key={place} x={x(at)} y={height - 4} text-anchor="middle">
            {grouped(place)}
          </text>
        ))}
        {curves.map(({ name, values }, curve) => (
          <g key={name} class={colourOf(curve)}>
            <polyline points={values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")} />
            {values.map((value, at) => (
              <circle key={at} cx={x(at)} cy={y(value)} r={3} />
            ))}
          </g>
        ))}
      </svg>
      <figcaption>
        <Shown text={title} />
      </figcaption>
    </figure>
  )
}
