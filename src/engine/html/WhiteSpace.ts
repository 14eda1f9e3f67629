/**
 * Collapses white space as a browser does: runs become one space, and none is left at the edges of blocks.
 *
 * Source: the rules of `hast-util-minify-whitespace`, in one pass: the node after a text is found once for each node.
 */
import type { Element, ElementContent, Root } from "hast"
import * as Tree from "./Tree.ts"

/** Elements at whose edges white space is invisible. */
const blocks = Tree.namesIn(
  `address article aside blockquote body br caption center col colgroup dd dialog dir div dl dt figcaption figure footer
   form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre
   section summary table tbody td tfoot th thead tr ul wbr xmp`
)

/** Elements without text of their own that a reader sees, so that a space next to them counts. */
const visible = Tree.namesIn("audio button canvas embed iframe img input math object picture select svg textarea video")

/** Elements that a reader does not see: the white space around them is looked at as one run. */
const invisible = Tree.namesIn(
  `area base basefont dialog datalist head link meta noembed noframes param rp script source style template track title`
)

const preformatted = Tree.namesIn("listing plaintext pre script style textarea xmp")

/** `normal` collapses white space and trims it, `nowrap` only collapses it, `pre` keeps it. */
type Mode = "normal" | "nowrap" | "pre"

const modeOf = ({ properties, tagName }: Element, inherited: Mode): Mode => {
  if (preformatted.has(tagName)) return "pre"
  const isCell = tagName === "td" || tagName === "th"
  return tagName === "nobr" || (isCell && Boolean(properties["noWrap"])) ? "nowrap" : inherited
}

const isBlank = (text: string): boolean => !/[^\t\n\f\r ]/.test(text)

const runs = /[\t\n\v\f\r ]+/g

const needsCollapse = /[\t\n\v\f\r]| {2}/

const collapsed = (text: string): string => (needsCollapse.test(text) ? text.replaceAll(runs, " ") : text)

/**
 * How a node begins, which decides about white space before it: true for a block, where it goes; false for text or a visible element, where
 * it stays; undefined for a node that shows nothing, where the next node decides.
 */
type Boundary = boolean | undefined

/** Remembers the boundary of each element, so that nested elements are not searched again. */
class Boundaries {
  private readonly known = new Map<Element, Boundary>()

  of(node: ElementContent): Boundary {
    if (node.type === "text") return isBlank(node.value) ? undefined : false
    if (node.type !== "element") return undefined
    if (visible.has(node.tagName)) return false
    return blocks.has(node.tagName) ? true : this.inside(node)
  }

  private inside(element: Element): Boundary {
    if (Boolean(element.properties["hidden"]) || invisible.has(element.tagName)) return undefined
    if (this.known.has(element)) return this.known.get(element)
    let found: Boundary
    for (const child of element.children) {
      found = this.of(child)
      if (found !== undefined) break
    }
    this.known.set(element, found)
    return found
  }
}

const isSpace = (text: string, at: number): boolean => text.charCodeAt(at) === 32

/** The sides on which white space is removed. */
interface Edges {
  readonly before: boolean
  readonly after: boolean
}

const trimmed = (value: string, { after, before }: Edges): string => {
  const start = before && isSpace(value, 0) ? 1 : 0
  const end = after && value.length > start && isSpace(value, value.length - 1) ? value.length - 1 : value.length
  return value.slice(start, end)
}

/** For each child, true if white space at its end is removed because of what follows. */
const trimsAfter = (children: ReadonlyArray<ElementContent>, last: boolean, boundaries: Boundaries) => {
  const trims: Array<boolean> = []
  let next = last
  for (const child of children.toReversed()) {
    trims.push(next)
    next = boundaries.of(child) ?? next
  }
  return trims.toReversed()
}

/** The children without invisible white space, and if they end with a space, so that one that follows is invisible. */
const minified = (
  children: ReadonlyArray<ElementContent>,
  edges: Edges,
  mode: Mode,
  boundaries: Boundaries
): readonly [children: Array<ElementContent>, endsInSpace: boolean] => {
  const trims = trimsAfter(children, edges.after, boundaries)
  const kept: Array<ElementContent> = []
  let { before } = edges
  children.forEach((child, at) => {
    const after = trims[at] ?? edges.after
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
      before = visible.has(child.tagName) ? false : ends || inner.after
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
