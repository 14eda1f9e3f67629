/**
 * Collapses white space as a browser does: runs become one space, and none is left at the edges of blocks.
 *
 * Source: the rules of `hast-util-minify-whitespace`, in one pass: the node after a text is found once for each node.
 */
import type { Element, ElementContent, Root } from "hast"
import * as Tree from "./Tree.ts"

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/))

const blocks = setOf(
  `address article aside blockquote body br caption center col colgroup dd dialog dir div dl dt figcaption figure footer
   form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre
   section summary table tbody td tfoot th thead tr ul wbr xmp`
)

/** Elements that are visible although they are not text. */
const contents = setOf("audio button canvas embed iframe img input math object picture select svg textarea video")

const skipped = setOf(
  `area base basefont dialog datalist head link meta noembed noframes param rp script source style template track title`
)

type Mode = "normal" | "nowrap" | "pre"

const modes: Readonly<Record<string, Mode>> = {
  listing: "pre",
  plaintext: "pre",
  script: "pre",
  style: "pre",
  xmp: "pre",
  pre: "pre",
  textarea: "pre",
  nobr: "nowrap"
}

const modeOf = (element: Element, inherited: Mode): Mode => {
  const own = modes[element.tagName]
  const isCell = element.tagName === "td" || element.tagName === "th"
  return own ?? (isCell && Boolean(element.properties["noWrap"]) ? "nowrap" : inherited)
}

const isBlank = (text: string): boolean => !/[^\t\n\f\r ]/.test(text)

const runs = /[\t\n\v\f\r ]+/g

const needsCollapse = /[\t\n\v\f\r]| {2}/

const collapsed = (text: string): string => (needsCollapse.test(text) ? text.replaceAll(runs, " ") : text)

/** Removal of white space before a node: true before a block, false before content, undefined for an invisible node. */
type Boundary = boolean | undefined

/** Finds the boundary of each node once. */
class Boundaries {
  private readonly known = new Map<Element, Boundary>()

  of(node: ElementContent): Boundary {
    if (node.type === "text") {
      return isBlank(node.value) ? undefined : false
    }
    if (node.type !== "element") {
      return undefined
    }
    if (contents.has(node.tagName)) {
      return false
    }
    return blocks.has(node.tagName) ? true : this.inside(node)
  }

  private inside(element: Element): Boundary {
    if (Boolean(element.properties["hidden"]) || skipped.has(element.tagName)) {
      return undefined
    }
    if (this.known.has(element)) {
      return this.known.get(element)
    }
    let found: Boundary
    for (const child of element.children) {
      found = this.of(child)
      if (found !== undefined) {
        break
      }
    }
    this.known.set(element, found)
    return found
  }
}

const isSpace = (text: string, at: number): boolean => text.charCodeAt(at) === 32

interface Edges {
  /** Remove white space at the start. */
  readonly before: boolean
  /** Remove white space at the end. */
  readonly after: boolean
}

const trimmed = (value: string, { after, before }: Edges): string => {
  const start = before && isSpace(value, 0) ? 1 : 0
  const end = after && value.length > start && isSpace(value, value.length - 1) ? value.length - 1 : value.length
  return value.slice(start, end)
}

/** The children without invisible white space; tells also if the last one ends with a space. */
const minified = (
  children: ReadonlyArray<ElementContent>,
  edges: Edges,
  mode: Mode,
  boundaries: Boundaries
): readonly [children: Array<ElementContent>, endsInSpace: boolean] => {
  const afters: Array<boolean> = []
  let next = edges.after
  for (let at = children.length - 1; at >= 0; at--) {
    afters[at] = next
    const child = children[at]
    next = (child === undefined ? undefined : boundaries.of(child)) ?? next
  }
  const kept: Array<ElementContent> = []
  let { before } = edges
  children.forEach((child, at) => {
    const after = afters[at] ?? edges.after
    if (child.type === "text") {
      if (mode === "normal") {
        const value = collapsed(child.value)
        const text = trimmed(value, { before, after })
        if (text !== "") {
          kept.push({ type: "text", value: text })
          before = !after && isSpace(value, value.length - 1) && value.length > (before && isSpace(value, 0) ? 1 : 0)
        }
      } else {
        kept.push(mode === "nowrap" ? { type: "text", value: collapsed(child.value) } : child)
        before = false
      }
    } else if (child.type === "element") {
      const isBlock = blocks.has(child.tagName)
      const inner = isBlock ? { before: true, after: true } : { before, after }
      const [own, ends] = minified(child.children, inner, modeOf(child, mode), boundaries)
      kept.push(Tree.element(child.tagName, child.properties, own))
      before = contents.has(child.tagName) ? false : ends || inner.after
    }
  })
  return [kept, before]
}

const isContent = (node: Root["children"][number]): node is ElementContent => node.type !== "doctype"

/** Makes a new tree with collapsed white space. */
export const collapse = (page: Root): Root => ({
  type: "root",
  children: minified(page.children.filter(isContent), { before: true, after: true }, "normal", new Boundaries())[0]
})
