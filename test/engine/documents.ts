import { strToU8, zipSync } from "fflate"

/** Small documents of each family, made here. */

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

export const zip = (members: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, strToU8(text)])), { level: 1 })

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const types = "http://schemas.openxmlformats.org/package/2006/content-types"
const relations = "http://schemas.openxmlformats.org/package/2006/relationships"
const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const contentType = "application/vnd.openxmlformats-officedocument"

const core = `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Deep &amp; wide</dc:title><dc:creator>Ada</dc:creator><cp:keywords>one, two</cp:keywords><dc:description>About it</dc:description><dc:language>en-GB</dc:language></cp:coreProperties>`

const rootRelations = (target: string): string =>
  `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="${target}"/></Relationships>`

export const docx = (
  body = "<w:p><w:r><w:t>Hello from Word</w:t></w:r></w:p>",
  more: Readonly<Record<string, string>> = {}
): Uint8Array =>
  zip({
    "[Content_Types].xml": `${declaration}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${contentType}.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": rootRelations("word/document.xml"),
    "word/document.xml": `${declaration}<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
    "docProps/core.xml": core,
    ...more
  })

/** A PNG of one pixel, in Base64. */
export const redDot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

const drawing =
  '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Picture 1" descr="A red dot"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId2"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'

const item = (content: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${content}</w:t></w:r></w:p>`

const cell = (content: string, properties = "") =>
  `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${content}</w:t></w:r></w:p></w:tc>`

/** A document with a heading, a link, a list, a table with a wide cell and an image. */
export const richDocx = (): Uint8Array =>
  zipSync(
    {
      "[Content_Types].xml": strToU8(
        `${declaration}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="${contentType}.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${contentType}.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${contentType}.wordprocessingml.numbering+xml"/></Types>`
      ),
      "_rels/.rels": strToU8(rootRelations("word/document.xml")),
      "word/_rels/document.xml.rels": strToU8(
        `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${officeRelations}/hyperlink" Target="https://example.com/a?b=1&amp;c=2" TargetMode="External"/><Relationship Id="rId2" Type="${officeRelations}/image" Target="media/dot.png"/><Relationship Id="rId3" Type="${officeRelations}/styles" Target="styles.xml"/><Relationship Id="rId4" Type="${officeRelations}/numbering" Target="numbering.xml"/></Relationships>`
      ),
      "word/styles.xml": strToU8(
        `${declaration}<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`
      ),
      "word/numbering.xml": strToU8(
        `${declaration}<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
      ),
      "word/media/dot.png": new Uint8Array(Buffer.from(redDot, "base64")),
      "word/document.xml": strToU8(
        `${declaration}<w:document xmlns:w="${word}" xmlns:r="${officeRelations}"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t xml:space="preserve">the </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>link</w:t></w:r></w:hyperlink></w:p>${item("one")}${item("two")}<w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr><w:tr>${cell("wide", '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl><w:p>${drawing}</w:p></w:body></w:document>`
      )
    },
    { level: 1 }
  )

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
const tableSpace = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"

export const odt = (
  body = '<text:h text:outline-level="1">Open heading</text:h><text:p>Hello from Writer</text:p>',
  more: Readonly<Record<string, string>> = {}
): Uint8Array =>
  zip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": `${declaration}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    "content.xml": `${declaration}<office:document-content xmlns:office="${office}" xmlns:text="${textSpace}" xmlns:table="${tableSpace}" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...more,
    "meta.xml": `${declaration}<office:document-meta xmlns:office="${office}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"><office:meta><dc:title>Open title</dc:title><meta:keyword>red</meta:keyword><meta:keyword>blue</meta:keyword></office:meta></office:document-meta>`
  })

export const epub = (body = "<h1>Chapter one</h1><p>It began.</p>"): Uint8Array =>
  zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${declaration}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "book.opf": `${declaration}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>A small book</dc:title><dc:creator>Grace</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
    "c.xhtml": `${declaration}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head><body>${body}</body></html>`
  })

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

/** Options of a job that asks for no member besides Markdown. */
export const treeOptions = {
  members: [],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true
} as const
