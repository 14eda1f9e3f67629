/**
 * Title, author and further metadata that an office document contains.
 *
 * @since 0.1.0
 */
import type { OfficeExtension, Properties } from "../jobs.ts"
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
  const xml = ZipMembers.texts(archive, [name]).get(name)
  return xml === undefined ? {} : read(xml, sources)
}

const ofPublication = (archive: Uint8Array): Properties => {
  const container = "META-INF/container.xml"
  const xml = ZipMembers.texts(archive, [container]).get(container)
  const path = xml === undefined ? undefined : XmlText.attribute(xml, "rootfile", "full-path")
  return path === undefined ? {} : ofMember(archive, path, electronicPublication)
}

type Family = "officeOpenXml" | "openDocument" | "publication" | "none"

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
  doc: "none",
  xls: "none",
  ppt: "none",
  rtf: "none",
  csv: "none"
} as const satisfies Record<OfficeExtension, Family>

const readers: Readonly<Record<Family, (archive: Uint8Array) => Properties>> = {
  officeOpenXml: (archive) => ofMember(archive, "docProps/core.xml", officeOpenXml),
  openDocument: (archive) => ofMember(archive, "meta.xml", openDocument),
  publication: ofPublication,
  none: () => ({})
}

/**
 * Properties of formats based on zip archives; none for the others. Never fails.
 *
 * @since 0.1.0
 * @category accessors
 */
export const of = (bytes: Uint8Array, extension: OfficeExtension): Properties => readers[families[extension]](bytes)
