/**
 * Finds the parts of a page around its main content by what they hold: lists of links before the title and after the text, bars that share
 * the page, small forms, notices of copyright and cookies, and all that is outside of the one element that has the text.
 */
import type { Element, Root, RootContent } from "hast"
import * as Tally from "../Tally.ts"
import * as Boilerplate from "./Boilerplate.ts"
import * as Prose from "./Prose.ts"
import * as Tree from "./Tree.ts"

/** Fewest characters of running text of a page that is judged by it. A page with less may be a list of links. */
const leastProse = 200

/** Fewest characters of running text that show where the root of a page is, below its body. */
const leastOfRoot = 600

/** Share of a page's running text that makes an element its root. */
const rootShare = 0.75

/** Most text, as a share of the root's, that is outside of it and is neither linked nor a heading. */
const outsideShare = 0.15

/** Share of the text of a block, without its headings, that is linked in a list of links. */
const linkShare = 0.6

/** Most characters of a form that is not the content of the page. */
const formLength = 500

const containers = new Set(
  "div section aside nav header footer ul ol dl table tbody tr td th p form center figure details menu fieldset address article".split(
    " "
  )
)

interface Place {
  readonly inRoot: boolean
  /** The parent holds the root or the title, or is the root: the parts of a page stand there, not those of its content. */
  readonly isNear: boolean
}

/** Siblings of one kind that are an enumeration. */
const leastKin = 3

class Judge {
  readonly found: Array<Element> = []
  private readonly page: Prose.Page
  private readonly holders: Boilerplate.Holders
  private readonly dropped: ReadonlySet<Element>
  private readonly root: Element | undefined
  private readonly isMain: boolean
  private readonly rootPath: ReadonlySet<Element>
  /** Line at which the content begins: that of the title, or the first of running text. */
  private readonly begins: number
  private readonly ends: number

  constructor(page: Prose.Page, tree: Root, holders: Boilerplate.Holders, dropped: ReadonlySet<Element>) {
    this.page = page
    this.holders = holders
    this.dropped = dropped
    const path = rootOf(page, tree, dropped)
    this.root = path.at(-1)
    this.isMain = this.root !== undefined && Boilerplate.isMain(this.root)
    this.rootPath = new Set(path)
    const { firstProse = 0, lastProse = 0, title } = page
    this.begins = title !== undefined && title <= lastProse ? title : firstProse
    this.ends = lastProse
  }

  visit(nodes: ReadonlyArray<RootContent>, place: Place): void {
    const kin = kinds(nodes, this.page)
    for (const node of nodes) {
      const measure = Tree.isElement(node) && !this.dropped.has(node) ? this.page.of.get(node) : undefined
      if (!Tree.isElement(node) || measure === undefined || measure.text === 0) continue
      const isPath = this.rootPath.has(node)
      const mayGo = !isPath && containers.has(node.tagName) && !this.holders.heading.has(node)
      if (mayGo && this.isAround(node, measure, place, kin.has(kindOf(node)))) {
        this.found.push(node)
      } else if (!isAtomic(node)) {
        this.visit(node.children, {
          inRoot: place.inRoot || node === this.root,
          isNear: isPath || this.holders.heading.has(node) || (place.isNear && !place.inRoot)
        })
      }
    }
  }

  private isAround(node: Element, measure: Prose.Measure, { inRoot, isNear }: Place, hasKin: boolean): boolean {
    const { whole } = this.page
    if (measure.prose > whole.prose / 5) return false
    if (isDeeds(measure)) return true
    const isLeading = measure.end <= this.begins
    const isTrailing = measure.start >= this.ends
    if (isTrailing && isNotice(measure)) return true
    if (measure.hasForm && measure.text <= formLength) return true
    const isList = isLinks(measure)
    if (Boilerplate.isNamedLike(node) && (isList || !inRoot)) return true
    if (!isNear || !isList || hasKin) return false
    if (!inRoot || isLeading) return true
    return isTrailing && !this.isMain && measure.text <= whole.prose / 2
  }
}

/** Tables and lists of the content are kept or dropped as a whole, unless they place the parts of the page. */
const isAtomic = ({ tagName }: Element): boolean =>
  tagName === "ul" || tagName === "ol" || tagName === "dl" || tagName === "pre"

const isLinks = ({ headings, linked, prose, text }: Prose.Measure): boolean =>
  prose === 0 && linked > 0 && linked >= linkShare * (text - headings)

const isDeeds = ({ deeds, links, prose, text }: Prose.Measure): boolean =>
  prose === 0 && links > 1 && deeds * 2 > links && text < 200

const isNotice = ({ hasCopyright, prose, text }: Prose.Measure): boolean => hasCopyright && prose < 200 && text < 1000

const kindOf = (node: Element): string => `${node.tagName}.${Tree.attribute(node, "className") ?? ""}`

/** Kinds of siblings of which one has running text, or of which there are several: a list of links that looks like them belongs to them. */
const kinds = (nodes: ReadonlyArray<RootContent>, page: Prose.Page): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const node of nodes) {
    if (Tree.isElement(node)) {
      const own = (page.of.get(node)?.prose ?? 0) > 0 ? leastKin : 1
      Tally.add(counts, kindOf(node), own)
    }
  }
  return new Set([...counts].filter(([kind, count]) => count >= leastKin && !kind.endsWith(".")).map(([kind]) => kind))
}

/** Path to the smallest element that has most of the running text: the page's one `main` if it has, or the deepest that does. */
const rootOf = (page: Prose.Page, tree: Root, dropped: ReadonlySet<Element>): ReadonlyArray<Element> => {
  const enough = page.whole.prose * rootShare
  const path: Array<Element> = []
  let children: ReadonlyArray<RootContent> = tree.children
  let around = plain(page.whole)
  for (;;) {
    const next: Element | undefined = children
      .filter(Tree.isElement)
      .find((child) => !dropped.has(child) && (page.of.get(child)?.prose ?? 0) >= enough)
    if (next === undefined || isAtomic(next) || next.tagName === "p" || (next.tagName === "table" && isData(next))) {
      return path
    }
    const own = plain(page.of.get(next))
    const isSure = page.whole.prose >= leastOfRoot || next.tagName === "html" || next.tagName === "body"
    if (!isSure && !Boilerplate.isMain(next)) return path
    if (around - own > own * outsideShare && !Boilerplate.isMain(next)) return path
    around = own
    path.push(next)
    if (Boilerplate.isMain(next)) return path
    children = next.children
  }
}

/** Text that is neither linked nor a heading. */
const plain = (measure: Prose.Measure | undefined): number =>
  measure === undefined ? 0 : measure.text - measure.linked - measure.headings

const isData = (table: Element): boolean =>
  Tree.findNear(table, "th") !== undefined || Tree.findNear(table, "caption") !== undefined

/** The elements around the main content, apart from the `dropped` ones; none on a page of little running text. */
export const of = (tree: Root, holders: Boilerplate.Holders, dropped: ReadonlySet<Element>): ReadonlyArray<Element> => {
  const page = Prose.measure(tree, dropped)
  if (page.whole.prose < leastProse) {
    return []
  }
  const judge = new Judge(page, tree, holders, dropped)
  judge.visit(tree.children, { inRoot: false, isNear: true })
  return judge.found
}
