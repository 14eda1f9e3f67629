/**
 * Converts a page's tree to a Markdown tree with the handlers of `hast-util-to-mdast`. The library's own driver copies and walks the tree
 * several times, which took most of the time of a dense page.
 */
import type { Root as PageRoot } from "hast"
import { defaultHandlers, defaultNodeHandlers, type Handle, type State } from "hast-util-to-mdast"
import type { BlockContent, Delete, DefinitionContent, Link, Nodes, PhrasingContent, Root, RootContent } from "mdast"
import { trimmed } from "./BreakParagraphs.ts"
import * as WhiteSpace from "./WhiteSpace.ts"

const phrasingTypes = new Set(
  "break delete emphasis footnoteReference image imageReference inlineCode link linkReference strong text".split(" ")
)

const isPhrasing = (node: Nodes): node is PhrasingContent => phrasingTypes.has(node.type)

const holdsFlow = (nodes: ReadonlyArray<Nodes>): boolean =>
  nodes.some((node) => !isPhrasing(node) || ("children" in node && holdsFlow(node.children)))

const isBlank = (node: Nodes): boolean => node.type === "text" && !/[^\t\n\f\r ]/.test(node.value)

const emptied = <Node extends Nodes>(node: Node): Node => structuredClone({ ...node, children: [] })

const isHolder = (node: Nodes): node is Delete | Link => node.type === "delete" || node.type === "link"

/** Moves a link or deletion that contains blocks into each of the blocks. */
const split = (holder: Delete | Link): Array<RootContent> => {
  const found: Array<RootContent> = []
  inRuns(
    holder.children,
    (run) => {
      found.push({ ...emptied(holder), children: run })
    },
    (block) => {
      const inner = { ...emptied(holder) }
      if ("children" in block) {
        Object.assign(inner, { children: block.children })
        found.push(Object.assign(emptied(block), { children: [inner] }))
      } else {
        found.push({ ...block })
      }
    }
  )
  return found
}

/** Passes runs of phrasing content, and other nodes one by one, to the callbacks, in order. */
const inRuns = (
  nodes: ReadonlyArray<RootContent>,
  onPhrasing: (run: Array<PhrasingContent>) => void,
  onOther: (node: RootContent) => void
): void => {
  let run: Array<PhrasingContent> = []
  const endRun = (): void => {
    if (run.length > 0) {
      onPhrasing(run)
      run = []
    }
  }
  const add = (node: RootContent): void => {
    if (isPhrasing(node)) {
      run.push(node)
    } else {
      endRun()
      onOther(node)
    }
  }
  for (const node of nodes) {
    if (isHolder(node) && holdsFlow(node.children)) {
      split(node).forEach(add)
    } else {
      add(node)
    }
  }
  endRun()
}

type FlowContent = BlockContent | DefinitionContent

/** True for flow content. An item or a row may stand alone: the writer treats it as a block. */
const isFlow = (node: RootContent): node is FlowContent => !isPhrasing(node)

/** Runs of phrasing content become paragraphs; runs of only white space are dropped. */
const toFlow = (nodes: ReadonlyArray<RootContent>): Array<FlowContent> => {
  const found: Array<FlowContent> = []
  inRuns(
    nodes,
    (run) => {
      if (!run.every(isBlank)) {
        found.push({ type: "paragraph", children: trimmed(run, ({ type }) => type === "break") })
      }
    },
    (node) => {
      if (isFlow(node)) {
        found.push(node)
      }
    }
  )
  return found
}

const listOf = (found: ReadonlyArray<Nodes> | Nodes | undefined): ReadonlyArray<Nodes> => {
  if (found === undefined) {
    return []
  }
  return "type" in found ? [found] : found
}

/** State of the library for our tree: without positions, and always with paragraphs around phrasing content. */
const stateOf = (own: Readonly<Record<string, Handle>>): State => {
  const handlers: Record<string, Handle> = { ...defaultHandlers, ...own }
  const isRootContent = (node: Nodes): node is RootContent => node.type !== "root"
  const state: State = {
    all: (parent) => {
      const found: Array<RootContent> = []
      for (const child of parent.children) {
        for (const node of listOf(state.one(child, parent))) {
          if (isRootContent(node)) {
            found.push(node)
          }
        }
      }
      return found
    },
    one: (node, parent) => {
      if (node.type === "text") {
        return { type: "text", value: node.value }
      }
      if (node.type === "element") {
        const handle = Object.hasOwn(handlers, node.tagName) ? handlers[node.tagName] : undefined
        return handle === undefined ? state.all(node) : (handle(state, node, parent) ?? undefined)
      }
      return node.type === "root" ? state.all(node) : undefined
    },
    toFlow,
    toSpecificContent: (nodes, build) => {
      const parents: Array<ReturnType<typeof build>> = []
      const reference = build()
      const isParent = (node: Nodes): node is ReturnType<typeof build> => node.type === reference.type
      let queue: Array<ReturnType<typeof build>["children"][number]> = []
      for (const node of nodes) {
        if (isParent(node)) {
          const own = node.children.splice(0)
          queue.concat(own).forEach((child) => node.children.push(child))
          queue = []
          parents.push(node)
        } else {
          queue.push(node)
        }
      }
      if (queue.length > 0) {
        const last = parents.at(-1) ?? reference
        queue.forEach((child) => last.children.push(child))
        if (parents.length === 0) {
          parents.push(last)
        }
      }
      return parents
    },
    patch: () => undefined,
    resolve: (url) => url ?? "",
    handlers,
    nodeHandlers: defaultNodeHandlers,
    options: { document: true },
    baseFound: false,
    frozenBaseUrl: undefined,
    elementById: new Map(),
    inTable: false,
    qNesting: 0
  }
  return state
}

const leadingBlanks = /^[\t ]+/

const trailingBlanks = /[\t ]+$/

const firstBreak = /[\t ]*(\r?\n|\r)[\t ]*/

const isLine = (parent: Nodes): boolean =>
  parent.type === "heading" || parent.type === "paragraph" || parent.type === "root"

/** Text without the white space that Markdown would not show at this position in its parent. */
const tidied = (value: string, inLine: boolean, isFirst: boolean, isLast: boolean): string => {
  const text = value.includes("\n") || value.includes("\r") ? value.replace(firstBreak, "$1") : value
  const start = inLine && isFirst ? text.replace(leadingBlanks, "") : text
  return inLine && isLast && /[\t ]$/.test(start) ? start.replace(trailingBlanks, "") : start
}

/** Joins neighbouring texts; changes the tree in place. */
const tidy = (parent: Nodes): void => {
  if (!("children" in parent)) {
    return
  }
  const inLine = isLine(parent)
  const kept: Array<Nodes> = []
  parent.children.forEach((node, at) => {
    const last = kept.at(-1)
    if (node.type !== "text") {
      kept.push(node)
      tidy(node)
      return
    }
    const joined = last?.type === "text" ? last : node
    const value = joined === node ? node.value : joined.value + node.value
    const isFirst = kept.length === (joined === node ? 0 : 1)
    joined.value = tidied(value, inLine, isFirst, at === parent.children.length - 1)
    if (joined === node) {
      kept.push(node)
    }
    if (joined.value === "") {
      kept.pop()
    }
  })
  Object.assign(parent, { children: kept })
}

/** Markdown tree of a cleaned page; the given handlers replace the library's own. */
export const from = (page: PageRoot, handlers: Readonly<Record<string, Handle>>): Root => {
  const root: Root = { type: "root", children: toFlow(stateOf(handlers).all(WhiteSpace.collapse(page))) }
  tidy(root)
  return root
}
