/** Title, author and further metadata that an office document contains. */
import type { OfficeExtension, Properties } from "../jobs.ts"
import * as RtfInformation from "./RtfInformation.ts"
import * as SummaryInformation from "./SummaryInformation.ts"
import * as XmlText from "./XmlText.ts"
import * as ZipMembers from "./ZipMembers.ts"

/** Local name of the XML element for each key of `metadata`. */
type Sources = Readonly<Record<string, string>>

const officeOpenXml: Sources = {
  title: "title",
  subject: "subject",
  description: "description",
  author: "creator",
  keywords: "keywords",
  language: "language",
  category: "category",
  created: "created",
  modified: "modified"
}

/** Extended properties: a document has pages, a presentation slides. */
const statistics: Sources = { pageCount: "Pages", slideCount: "Slides", wordCount: "Words" }

const openDocument: Sources = {
  title: "title",
  subject: "subject",
  description: "description",
  author: "initial-creator",
  keywords: "keyword",
  language: "language",
  created: "creation-date",
  modified: "date"
}

const electronicPublication: Sources = {
  title: "title",
  description: "description",
  author: "creator",
  keywords: "subject",
  language: "language",
  publisher: "publisher",
  published: "date",
  rights: "rights"
}

const read = (xml: string, sources: Sources): Properties => {
  const properties: Record<string, string | ReadonlyArray<string>> = {}
  for (const [key, localName] of Object.entries(sources)) {
    const [first, ...more] = XmlText.texts(xml, localName)
    if (first !== undefined) {
      properties[key] = more.length === 0 ? first : [first, ...more]
    }
  }
  return properties
}

const ofMember = (archive: Uint8Array, name: string, sources: Sources): Properties => {
  const xml = ZipMembers.text(archive, name)
  return xml === undefined ? {} : read(xml, sources)
}

const ofPublication = (archive: Uint8Array): Properties => {
  const xml = ZipMembers.text(archive, "META-INF/container.xml")
  const path = xml === undefined ? undefined : XmlText.attribute(xml, "rootfile", "full-path")
  return path === undefined ? {} : ofMember(archive, path, electronicPublication)
}

const counts: Sources = { pageCount: "page-count", wordCount: "word-count", tableCount: "table-count" }

/** OpenDocument states counts as attributes of one element. */
const ofOpenDocument = (archive: Uint8Array): Properties => {
  const xml = ZipMembers.text(archive, "meta.xml")
  if (xml === undefined) return {}
  const properties: Record<string, string | ReadonlyArray<string>> = { ...read(xml, openDocument) }
  for (const [key, name] of Object.entries(counts)) {
    const value = XmlText.attribute(xml, "document-statistic", `meta:${name}`)
    if (value !== undefined && value !== "0") properties[key] = value
  }
  return properties
}

const ofOfficeOpenXml = (archive: Uint8Array): Properties => {
  const stated = ofMember(archive, "docProps/app.xml", statistics)
  const counted = Object.entries(stated).filter(([, value]) => value !== "0")
  return { ...ofMember(archive, "docProps/core.xml", officeOpenXml), ...Object.fromEntries(counted) }
}

type Family = "officeOpenXml" | "openDocument" | "publication" | "compoundFile" | "rtf" | "none"

const families = {
  docx: "officeOpenXml",
  docm: "officeOpenXml",
  xlsx: "officeOpenXml",
  xlsm: "officeOpenXml",
  xlsb: "officeOpenXml",
  pptx: "officeOpenXml",
  pptm: "officeOpenXml",
  odt: "openDocument",
  ods: "openDocument",
  odp: "openDocument",
  epub: "publication",
  doc: "compoundFile",
  xls: "compoundFile",
  ppt: "compoundFile",
  rtf: "rtf",
  csv: "none"
} as const satisfies Record<OfficeExtension, Family>

const readers: Readonly<Record<Family, (archive: Uint8Array) => Properties>> = {
  officeOpenXml: ofOfficeOpenXml,
  openDocument: ofOpenDocument,
  publication: ofPublication,
  compoundFile: SummaryInformation.of,
  rtf: RtfInformation.of,
  none: () => ({})
}

/** The properties that the document states. Never fails. */
export const of = (bytes: Uint8Array, extension: OfficeExtension): Properties => readers[families[extension]](bytes)
