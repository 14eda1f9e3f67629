/** Measures the parts of a page: how much of each is running text, and how much is links and controls. */
import type { Element, Root, RootContent } from "hast"
import * as Tree from "./Tree.ts"

const silent = Tree.namesIn("head script style template noscript svg math title object embed iframe")

/** Elements inside a line of text. */
const inline = Tree.namesIn(
  `a abbr acronym b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark nobr q ruby rp rt s samp select
   small span strike strong sub sup time tt u var wbr option optgroup textarea`
)

/** Elements to click at. */
const controls = Tree.namesIn("a button select option label")

/** Blocks of which a few words are content already. */
const terse = Tree.namesIn("td th dd dt pre")

const headings = Tree.namesIn("h1 h2 h3 h4 h5 h6")

/** Fewest characters of a line that is running text, in a list item and elsewhere. */
const leastOfItem = 20
const least = 40

/** Measures of an element, in characters that are not white space, with all its descendants. */
export interface Measure {
  readonly text: number
  /** In links and controls. */
  readonly linked: number
  readonly headings: number
  /** In lines that are running text, cells of tables or code; notices of copyright do not count. */
  readonly prose: number
  readonly links: number
  /** Links that only run a script, or share the page. */
  readonly deeds: number
  readonly hasForm: boolean
  readonly hasCopyright: boolean
  /** Number of lines before the element, and up to its end. */
  readonly start: number
  readonly end: number
}

export interface Page {
  readonly of: ReadonlyMap<Element, Measure>
  readonly whole: Measure
  /** Number of the first `h1`'s line, and the number after the last line of running text; undefined without one. */
  readonly title: number | undefined
  readonly lastProse: number | undefined
  readonly firstProse: number | undefined
}

const copyright = /©|\(c\) ?\d{4}|\ball rights reserved\b|\bcopyright\b.{0,20}\d{4}/i

const sharing =
  /(?:facebook\.com\/(?:sharer|dialog)|(?:twitter|x)\.com\/(?:intent|share)|linkedin\.com\/share|reddit\.com\/submit|pinterest\.com\/pin\/create|wa\.me\/|api\.whatsapp\.com|t\.me\/share|mailto:\?)/i

const isDeed = (address: string): boolean => address === "#" || /^javascript:/i.test(address) || sharing.test(address)

/** Most characters of a line that are looked at for a notice of copyright. */
const noticeLength = 300

type Sums = { -readonly [Name in keyof Measure]: Measure[Name] }

const nothing = (start: number): Sums => ({
  text: 0,
  linked: 0,
  headings: 0,
  prose: 0,
  links: 0,
  deeds: 0,
  hasForm: false,
  hasCopyright: false,
  start,
  end: start
})

const add = (sums: Sums, own: Measure): void => {
  sums.text += own.text
  sums.linked += own.linked
  sums.headings += own.headings
  sums.prose += own.prose
  sums.links += own.links
  sums.deeds += own.deeds
  sums.hasForm ||= own.hasForm
  sums.hasCopyright ||= own.hasCopyright
}

class Meter {
  readonly measures = new Map<Element, Measure>()
  title: number | undefined
  firstProse: number | undefined
  lastProse: number | undefined
  private line = 0
  private plain = 0
  private linked = 0
  private notice = ""
  private readonly dropped: ReadonlySet<Element>

  constructor(dropped: ReadonlySet<Element>) {
    this.dropped = dropped
  }

  /** Ends a line in a block. */
  private endLine(block: string, sums: Sums): void {
    const { linked, plain } = this
    if (plain + linked > 0) {
      this.line += 1
      const enough = terse.has(block) ? 1 : block === "li" ? leastOfItem : least
      const isNotice = this.notice.length <= noticeLength && copyright.test(this.notice)
      sums.hasCopyright ||= isNotice
      if (headings.has(block)) {
        sums.headings += plain + linked
      } else if (plain >= enough && plain >= linked && !isNotice) {
        sums.prose += plain + linked
        this.firstProse ??= this.line - 1
        this.lastProse = this.line
      }
    }
    this.plain = 0
    this.linked = 0
    this.notice = ""
  }

  /** Sums of a node's children. `block` is the innermost block around them. */
  visit(nodes: ReadonlyArray<RootContent>, block: string, inControl: boolean, sums: Sums): void {
    for (const node of nodes) {
      if (node.type === "text") {
        const own = Tree.solid(node.value)
        sums.text += own
        if (inControl) {
          sums.linked += own
          this.linked += own
        } else {
          this.plain += own
        }
        if (own > 0 && this.notice.length <= noticeLength) this.notice += node.value.slice(0, noticeLength + 1)
      } else if (Tree.isElement(node) && !silent.has(node.tagName) && !this.dropped.has(node)) {
        this.element(node, block, inControl, sums)
      }
    }
  }

  private element(node: Element, block: string, inControl: boolean, sums: Sums): void {
    const { tagName } = node
    const isInline = inline.has(tagName)
    if (!isInline) this.endLine(block, sums)
    const own = nothing(this.line)
    if (tagName === "h1") this.title ??= this.line
    const inner = isInline ? block : tagName === "div" && terse.has(block) ? block : tagName
    this.visit(node.children, inner, inControl || controls.has(tagName), own)
    if (!isInline) this.endLine(inner, own)
    own.end = this.line
    if (tagName === "a" && typeof node.properties["href"] === "string") {
      own.links += 1
      own.deeds += isDeed(node.properties["href"]) ? 1 : 0
    }
    own.hasForm ||=
      tagName === "form" || tagName === "textarea" || (tagName === "input" && node.properties["type"] === "email")
    if (!isInline) this.measures.set(node, own)
    add(sums, own)
  }

  finish(sums: Sums): void {
    this.endLine("body", sums)
    sums.end = this.line
  }
}

/** Measures every block of a page in one walk; `dropped` elements count nowhere. */
export const measure = (page: Root, dropped: ReadonlySet<Element>): Page => {
  const meter = new Meter(dropped)
  const whole = nothing(0)
  meter.visit(page.children, "body", false, whole)
  meter.finish(whole)
  return { of: meter.measures, whole, title: meter.title, firstProse: meter.firstProse, lastProse: meter.lastProse }
}
