// @jsxRuntime automatic @jsxImportSource preact
/** Bar chart of the chunks' tokens under a line at the budget. */
import type { JSX } from "preact"
import { counted } from "../../internal/base/figures.ts"
import type { Chunk } from "../../internal/look/messages.ts"
import { hue } from "./chunkColour.ts"

/** Width of a bar in units of the drawing, the space after it included. */
const barWidth = 8

/** Minimum width of the drawing, in bars. */
const fewestBars = 16

export const SizeBars = ({
  chunks,
  maxTokens
}: {
  chunks: ReadonlyArray<Pick<Chunk, "index" | "tokens">>
  maxTokens: number
}): JSX.Element => {
  const width = barWidth * Math.max(fewestBars, chunks.length)
  return (
    <>
      <svg class="bars" viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        {chunks.map(({ index, tokens }) => {
          const height = Math.max(1, Math.round(Math.min(1, tokens / maxTokens) * 92))
          return (
            <a key={index} href={`#c${index + 1}`} class={hue(index)} tabindex={-1}>
              <title>
                Chunk {index + 1}: {counted(tokens, "token")}
              </title>
              <rect x={index * barWidth} y={100 - height} width={barWidth - 1} height={height} />
            </a>
          )
        })}
        <line x1={0} x2={width} y1={8} y2={8} />
      </svg>
      <p class="note">
        Tokens of every chunk, in order; the dashed line is the budget of {counted(maxTokens, "token")}.
      </p>
    </>
  )
}
