// @jsxRuntime automatic @jsxImportSource preact
/** A block over its page: coloured by type, numbered in reading order, named when it is pointed at. */
import type { JSX } from "preact"
import { percent } from "../../internal/base/figures.ts"
import type { Block } from "../../internal/base/parseResponse.ts"
import { useLight, useLit } from "../desk/light.ts"
import { useStore } from "../desk/store.ts"
import { isFurniture, typeClass, typeName } from "./blockTypes.ts"
import { type Bbox, Box, part, placed } from "./PageSheet.tsx"

/** Type and confidence, such as `table · layout 98 %`. */
export const described = ({ confidence, type }: Block): string =>
  [
    typeName(type),
    ...(confidence.layout === null ? [] : [`layout ${percent(confidence.layout)}`]),
    ...(confidence.ocr === null ? [] : [`OCR ${percent(confidence.ocr)}`])
  ].join(" · ")

/** The number stands to the left of its box, or inside where the page has no room. */
const Sign = ({ bbox, text }: { bbox: Bbox; text: string }): JSX.Element => {
  const [x, y] = placed(bbox)
  const inside = x < 0.04
  return (
    <text
      class="sign-number"
      x={part(x)}
      y={part(y)}
      dx={inside ? 3 : -3}
      dy={11}
      text-anchor={inside ? "start" : "end"}
    >
      {text}
    </text>
  )
}

const Label = ({ bbox, text }: { bbox: Bbox; text: string }): JSX.Element => {
  const [x, y, , height] = placed(bbox)
  const right = x > 0.55
  return (
    <text
      class="sign-label"
      x={part(right ? 0.99 : x)}
      y={part(y > 0.03 ? y : y + height)}
      dy={y > 0.03 ? -5 : 14}
      text-anchor={right ? "end" : "start"}
    >
      {text}
    </text>
  )
}

export const BlockBox = ({
  bbox,
  block,
  number,
  reachable
}: {
  bbox: Bbox
  block: Block
  number: number
  /** True for the one block of its page that the Tab key reaches; arrows reach the others. */
  reachable: boolean
}): JSX.Element => {
  const light = useLight()
  const lit = useLit(({ blocks }) => blocks.has(block.id))
  const named = useStore(light, ({ pointed }) => pointed?.kind === "block" && pointed.id === block.id)
  const mark = { kind: "block", id: block.id } as const
  const pin = () => light.pin(mark, "pages")
  return (
    <g
      class={`block ${typeClass(block.type)}${isFurniture(block.type) ? " furniture" : ""}${lit ? " lit" : ""}`}
      data-block={block.id}
      data-lit={lit}
      role="button"
      aria-label={`Block ${number}, ${described(block)}`}
      aria-pressed={lit}
      // An attribute of SVG keeps its case.
      tabindex={reachable ? 0 : -1}
      onPointerEnter={() => light.point(mark)}
      onPointerLeave={() => light.point(null)}
      onFocus={() => light.point(mark)}
      onBlur={() => light.point(null)}
      onClick={pin}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        pin()
      }}
    >
      <Box bbox={bbox} kind="area" />
      <Sign bbox={bbox} text={`${number}`} />
      {named && <Label bbox={bbox} text={described(block)} />}
    </g>
  )
}
