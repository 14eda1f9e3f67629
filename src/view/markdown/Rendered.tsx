// @jsxRuntime automatic @jsxImportSource preact
/** A tree of `tree.ts` as elements; those that light up carry their place in the Markdown, and marked stretches of it are marked. */
import type { Element, ElementContent, RootContent } from "hast"
import { createElement, type ComponentChild, type JSX } from "preact"
import { useMemo } from "preact/hooks"
import { Shown } from "../parts/Shown.tsx"
import { type Range, split } from "./marks.ts"
import type { Segment } from "./segments.ts"
import { tree } from "./tree.ts"

/** Elements that light up: the smallest ones that a block or a chunk is made of. */
const places: ReadonlySet<string> = new Set("p h1 h2 h3 h4 h5 h6 li pre tr blockquote hr".split(" "))

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const absolute = /^(?:https?:\/\/|mailto:)/i

const propertiesOf = ({ properties, tagName }: Element): Readonly<Record<string, unknown>> => {
  switch (tagName) {
    case "a": {
      const href = textOf(properties["href"])
      return href !== undefined && absolute.test(href)
        ? { href, target: "_blank", rel: "noopener noreferrer nofollow" }
        : {}
    }
    case "td":
    case "th": {
      const align = textOf(properties["align"])
      return {
        colSpan: numberOf(properties["colSpan"]),
        rowSpan: numberOf(properties["rowSpan"]),
        class: align === undefined ? undefined : `to-${align}`
      }
    }
    case "ol":
      return { start: numberOf(properties["start"]) }
    case "input":
      return { type: "checkbox", disabled: true, checked: properties["checked"] === true, "aria-label": "task" }
    case "span": {
      const names = properties["className"]
      return Array.isArray(names) ? { class: String(names[0]) } : {}
    }
    default:
      return {}
  }
}

const placeOf = ({ position, tagName }: Element): Readonly<Record<string, unknown>> => {
  const start = position?.start.offset
  const end = position?.end.offset
  return places.has(tagName) && start !== undefined && end !== undefined ? { "data-start": start, "data-end": end } : {}
}

const rangeOf = ({ position }: RootContent | ElementContent): Range | undefined => {
  const start = position?.start.offset
  const end = position?.end.offset
  return start === undefined || end === undefined ? undefined : { start, end }
}

interface Marks {
  readonly markdown: string
  /** In order and apart. */
  readonly ranges: ReadonlyArray<Range>
}

/** `within`: the place of the nearest element around the node that has one. */
const shown = (node: RootContent | ElementContent, marks: Marks, within: Range | undefined): ComponentChild => {
  const range = rangeOf(node) ?? within
  if (node.type === "text") {
    if (range === undefined || marks.ranges.length === 0) return <Shown text={node.value} />
    return split(node.value, marks.markdown, range, marks.ranges).map(({ match, text }) =>
      match ? (
        <mark>
          <Shown text={text} />
        </mark>
      ) : (
        <Shown text={text} />
      )
    )
  }
  if (node.type !== "element") return null
  const made = createElement(
    node.tagName,
    { ...propertiesOf(node), ...placeOf(node) },
    ...(node.children.length === 0 ? [] : node.children.map((child) => shown(child, marks, range)))
  )
  if (node.tagName !== "table") return made
  return (
    <div class="wide" tabIndex={0} role="group" aria-label="Table">
      {made}
    </div>
  )
}

/** A line with more marks of quotes and lists than a reader could follow; the time to read them grows with the square of their number. */
const deep = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){40}/mu

/** Null for Markdown that is nested too deep. */
const treeOf = (markdown: string, segment: Segment) => {
  if (deep.test(markdown.slice(segment.start, segment.end))) return null
  try {
    return tree(markdown, segment)
  } catch {
    return null
  }
}

const unmarked: ReadonlyArray<Range> = []

/** `marks` are places in the Markdown, in order and apart. */
export const Rendered = ({
  markdown,
  marks = unmarked,
  segment
}: {
  markdown: string
  marks?: ReadonlyArray<Range>
  segment: Segment
}): JSX.Element => {
  const root = useMemo(() => treeOf(markdown, segment), [markdown, segment])
  return root === null ? (
    <pre data-start={segment.start} data-end={segment.end}>
      <Shown text={markdown.slice(segment.start, segment.end)} />
    </pre>
  ) : (
    <>{root.children.map((child) => shown(child, { markdown, ranges: marks }, undefined))}</>
  )
}
