/** Parts of a presentation that the parser leaves out, as text where they stand: equations, charts, and shapes in several versions. */
import * as Edits from "../../Edits.ts"
import * as Tags from "../markup/Tags.ts"
import * as Charts from "./Charts.ts"
import type { Mender } from "./Package.ts"
import * as RaisedRuns from "./RaisedRuns.ts"
import * as Unread from "./Unread.ts"
import { equations } from "./WordPackage.ts"

const wanted = /^ppt\/(?:slides|notesSlides|charts)\/[^/]+\.xml$/u

const run = (word: string): string =>
  `<a:r xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:t>${word}</a:t></a:r>`

interface Version {
  readonly start: number
  end: number
}

/**
 * Shapes that a slide holds in several versions, each as one of them: the first one with text, or the last one. Source: ECMA-376
 * part 3, 10.2 (`AlternateContent`). Where versions hold versions, the outer ones are chosen from.
 */
const oneVersion = (xml: string): string => {
  if (!xml.includes("AlternateContent")) return xml
  const edits: Array<Edits.Edit> = []
  let depth = 0
  let start = 0
  let versions: Array<Version> = []
  const spaces = new Map<string, string>()
  for (const tag of Tags.of(xml)) {
    if (depth <= 1 && tag.kind === "open" && (tag.name === "AlternateContent" || tag.name === "Choice"))
      for (const [declaration, prefix = ""] of xml
        .slice(tag.start, tag.end)
        .matchAll(/\sxmlns:([\w.-]+)=(?:"[^"]*"|'[^']*')/gu))
        spaces.set(prefix, declaration)
    if (tag.name === "AlternateContent" && tag.kind !== "empty") {
      depth += tag.kind === "open" ? 1 : -1
      if (depth === 1 && tag.kind === "open") {
        start = tag.start
        versions = []
      } else if (depth === 0) {
        const texts = versions.map((version) => xml.slice(version.start, version.end))
        const text = texts.find((version) => /:(?:t|oMath)[\s>]/u.test(version)) ?? texts.at(-1) ?? ""
        edits.push({ start, end: tag.end, text })
      }
    } else if (depth === 1 && (tag.name === "Choice" || tag.name === "Fallback")) {
      const last = versions.at(-1)
      if (tag.kind === "open") versions.push({ start: tag.end, end: tag.end })
      else if (last !== undefined && tag.kind === "close") last.end = tag.start
    }
  }
  return depth === 0 ? declaring(Edits.edited(xml, edits), spaces) : xml
}

/** The part with these namespaces at its root, which has its own for those prefixes that it declares itself. */
const declaring = (xml: string, spaces: ReadonlyMap<string, string>): string =>
  xml.replace(/<[\w.-]+:sld(?=[\s>])[^<>]*|<[\w.-]+:notes(?=[\s>])[^<>]*/u, (root) => {
    const missing = [...spaces].filter(([prefix]) => !root.includes(`xmlns:${prefix}=`))
    return root + missing.map(([, declaration]) => declaration).join("")
  })

/** An equation in its wrapper, which the parser passes over with all it holds. */
const unwrapped = (xml: string): string =>
  Tags.mayHave(xml, "oMath") ? xml.replaceAll(/<\/?a14:m(?:\s[^<>]*)?>/gu, "") : xml

const objects = /\bprogId\s*=\s*["'](?:Equation\.|MathType)/gu

/** Repairs of `pptx` and `pptm`. */
export const mender: Mender = {
  wanted: (name) => wanted.test(name),
  mend: (parts, inserted) => {
    let pictures = 0
    for (const [name, original] of parts) {
      if (name.startsWith("ppt/charts/")) {
        parts.set(name, Charts.completed(original))
        continue
      }
      const xml = unwrapped(oneVersion(original))
      if (xml.includes("Equation.") || xml.includes("MathType")) pictures += [...xml.matchAll(objects)].length
      const raised = RaisedRuns.ofRuns(xml, new Map(), inserted)
      parts.set(name, Edits.edited(raised, equations(raised, inserted, run)))
    }
    return Unread.equations(pictures)
  }
}
