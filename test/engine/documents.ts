import { strToU8, zipSync } from "fflate"

/** Small documents of each family, made here. */

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

const zip = (members: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, strToU8(text)])), { level: 1 })

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const types = "http://schemas.openxmlformats.org/package/2006/content-types"
const relations = "http://schemas.openxmlformats.org/package/2006/relationships"
const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const contentType = "application/vnd.openxmlformats-officedocument"

const core = `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Deep &amp; wide</dc:title><dc:creator>Ada</dc:creator><cp:keywords>one, two</cp:keywords><dc:description>About it</dc:description><dc:language>en-GB</dc:language></cp:coreProperties>`

const rootRelations = (target: string): string =>
  `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="${target}"/></Relationships>`

export const docx = (body = "<w:p><w:r><w:t>Hello from Word</w:t></w:r></w:p>"): Uint8Array =>
  zip({
    "[Content_Types].xml": `${declaration}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${contentType}.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": rootRelations("word/document.xml"),
    "word/document.xml": `${declaration}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    "docProps/core.xml": core
  })

const figures =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c><c r="B1" t="inlineStr"><is><t>value</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>depth</t></is></c><c r="B2"><v>42</v></c></row>'

export const xlsx = (rows = figures): Uint8Array =>
  zip({
    "[Content_Types].xml": `${declaration}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.spreadsheetml.worksheet+xml"/></Types>`,
    "_rels/.rels": rootRelations("xl/workbook.xml"),
    "xl/workbook.xml": `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelations}"><sheets><sheet name="Figures" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `${declaration}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
  })

const office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
const textSpace = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"

export const odt = (): Uint8Array =>
  zip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    "content.xml": `${declaration}<office:document-content xmlns:office="${office}" xmlns:text="${textSpace}"><office:body><office:text><text:h text:outline-level="1">Open heading</text:h><text:p>Hello from Writer</text:p></office:text></office:body></office:document-content>`,
    "meta.xml": `${declaration}<office:document-meta xmlns:office="${office}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"><office:meta><dc:title>Open title</dc:title><meta:keyword>red</meta:keyword><meta:keyword>blue</meta:keyword></office:meta></office:document-meta>`
  })

export const epub = (): Uint8Array =>
  zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${declaration}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "book.opf": `${declaration}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>A small book</dc:title><dc:creator>Grace</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
    "c.xhtml": `${declaration}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head><body><h1>Chapter one</h1><p>It began.</p></body></html>`
  })

const tableSpace = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"

export const ods = (rows: string): Uint8Array =>
  zip({
    mimetype: "application/vnd.oasis.opendocument.spreadsheet",
    "META-INF/manifest.xml": `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    "content.xml": `${declaration}<office:document-content xmlns:office="${office}" xmlns:text="${textSpace}" xmlns:table="${tableSpace}"><office:body><office:spreadsheet><table:table table:name="Sheet">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`
  })

/** One member that unfolds to 160 MB of text. */
export const zipBomb = (): Uint8Array => docx(`<w:p><w:r><w:t>${"0".repeat(160 * 1024 * 1024)}</w:t></w:r></w:p>`)

/** The header of an OLE compound file with the stream name that an encrypted package has. */
export const encryptedPackage = (): Uint8Array => {
  const bytes = new Uint8Array(4096)
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  bytes.set(Buffer.from("EncryptedPackage", "utf16le"), 1024)
  return bytes
}
