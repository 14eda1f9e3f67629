/**
 * Slides of a presentation as pages of an answer: number and Markdown of each.
 *
 * The parser writes slides one after another without saying where one ends. So a copy of the presentation gets a distinct text at the
 * start of every slide, and the Markdown of the copy shows where that text stands. Without those texts, the copy's Markdown must be
 * the document's to the letter; otherwise no slide is told.
 */
import { strFromU8, strToU8, zipSync } from "fflate"
import type { Page } from "../../internal/base/parseResponse.ts"
import * as ZipPackage from "../content/ZipPackage.ts"
import * as Relationships from "./markup/Relationships.ts"
import * as SparseSheets from "./sparse/SparseSheets.ts"

const word = "docsluiceslide"

const markOf = (slide: number): string => `${word}${slide}mark`

const marks = new RegExp(`(?:#+ )?${word}(\\d+)mark(?:\\n\\n|\\n?$)`, "gu")

type Members = Readonly<Record<string, Uint8Array>>

/** Parts of the slides in the order of the show. Source: ECMA-376 part 1, 19.2.1.34 (`sldIdLst`). */
const slideParts = (members: Members): ReadonlyArray<string> => {
  const presentation = members["ppt/presentation.xml"]
  const relationships = members["ppt/_rels/presentation.xml.rels"]
  if (presentation === undefined || relationships === undefined) return []
  const parts = Relationships.targets(strFromU8(relationships), "ppt")
  const slides = strFromU8(presentation).matchAll(/<(?:\w+:)?sldId\s[^<>]*>/gu)
  return Array.from(slides, ([element]) => parts.get(/\s\w+:id\s*=\s*["']([^"']*)["']/u.exec(element)?.[1] ?? "") ?? "")
}

/** A title that holds the text alone, in the namespaces that it declares itself: titles are written first, the first one first. */
const shape = (text: string): string =>
  `<p:sp xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:nvSpPr><p:cNvPr id="2147483647" name=""/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`

const properties = /<(?:\w+:)?grpSpPr\s*\/>|<\/(?:\w+:)?grpSpPr>/u

const markedOffice = (members: Members): Members | undefined => {
  const changed: Record<string, Uint8Array> = {}
  for (const [at, part] of slideParts(members).entries()) {
    const slide = members[part]
    const xml = slide === undefined ? "" : strFromU8(slide)
    const end = properties.exec(xml)
    if (end === null || part in changed) return undefined
    const place = end.index + end[0].length
    changed[part] = strToU8(xml.slice(0, place) + shape(markOf(at + 1)) + xml.slice(place))
  }
  return changed
}

const frame = (text: string): string =>
  `<draw:frame presentation:class="title" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`

/** OpenDocument 1.3 part 3, 10.2.4 (`draw:page`). */
const markedOpen = (members: Members): Members | undefined => {
  const content = members["content.xml"]
  if (content === undefined) return undefined
  let slide = 0
  const xml = strFromU8(content).replaceAll(
    /<draw:page(?=[\s>])(?:"[^"]*"|'[^']*'|[^"'<>])*(?<!\/)>/gu,
    (start) => `${start}${frame(markOf(++slide))}`
  )
  return { "content.xml": strToU8(xml) }
}

/** The copy with a text at the start of every slide; undefined where its slides cannot be told. */
const marked = (bytes: Uint8Array): Uint8Array | undefined => {
  const members = ZipPackage.isZip(bytes) ? SparseSheets.members(bytes, () => true) : undefined
  if (members === undefined) return undefined
  const changed = "ppt/presentation.xml" in members ? markedOffice(members) : markedOpen(members)
  return changed === undefined || Object.keys(changed).length === 0
    ? undefined
    : zipSync({ ...members, ...changed }, { level: 0 })
}

/**
 * The slides of a presentation that have text, numbered from 1 in the order of the show, hidden ones included; undefined where they
 * cannot be told exactly. `parse` gives the Markdown of a presentation, `markdown` is that of these bytes.
 */
export const of = async (
  bytes: Uint8Array,
  markdown: string,
  parse: (bytes: Uint8Array) => Promise<string>
): Promise<ReadonlyArray<Page> | undefined> => {
  const copy = markdown.includes(word) ? undefined : marked(bytes)
  if (copy === undefined) return undefined
  const written = await parse(copy)
  if (written.replaceAll(marks, "").trimEnd() !== markdown.trimEnd()) return undefined
  const found = [...written.matchAll(marks)]
  const ascending = found.every(({ 1: slide }, at) => at === 0 || Number(slide) > Number(found[at - 1]?.[1]))
  if (found[0]?.index !== 0 || !ascending) return undefined
  return found.flatMap(({ 0: mark, 1: slide, index }, at) => {
    const text = written.slice(index + mark.length, found[at + 1]?.index).trim()
    return text === "" ? [] : [{ pageNumber: Number(slide), markdown: text }]
  })
}
