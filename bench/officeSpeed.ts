/**
 * Office documents above 1 MB through `docsluice serve`, one and four at a time, next to `@firecrawl/anydoc` alone in a process.
 *
 *     npm run bench -- officeSpeed [--rounds 3]
 *
 * The documents are made here: prose, a sheet and slides of words that compress badly.
 */
import { availableParallelism, cpus, loadavg } from "node:os"
import { parseArgs } from "node:util"
import { toMarkdownBytes } from "@firecrawl/anydoc"
import { strToU8, zipSync } from "fflate"
import { compiled } from "./compiled.ts"
import * as Race from "./race.ts"
import { uniform } from "./random.ts"
import type { Document } from "./speedServer.ts"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" }, perform: { type: "string" } } })

const random = uniform(7)

const word = (): string => Math.floor(random() * 36 ** 6).toString(36)

const words = (count: number): string => Array.from({ length: count }, word).join(" ")

const many = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join("")

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const schemas = "http://schemas.openxmlformats.org"
const relations = `${schemas}/package/2006/relationships`
const office = `${schemas}/officeDocument/2006/relationships`
const media = "application/vnd.openxmlformats-officedocument"

interface Part {
  readonly path: string
  /** Content type after the vendor's prefix. */
  readonly type: string
  readonly xml: string
}

const relationships = (targets: ReadonlyArray<readonly [type: string, target: string]>): string =>
  `${declaration}<Relationships xmlns="${relations}">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`

const packed = (parts: ReadonlyArray<Part>, links: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        "[Content_Types].xml": `${declaration}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts.map(({ path, type }) => `<Override PartName="/${path}" ContentType="${media}.${type}+xml"/>`).join("")}</Types>`,
        "_rels/.rels": relationships([["officeDocument", parts[0]?.path ?? ""]]),
        ...links,
        ...Object.fromEntries(parts.map(({ path, xml }) => [path, `${declaration}${xml}`]))
      }).map(([path, text]) => [path, strToU8(text)])
    )
  )

const prose = (): Uint8Array =>
  packed(
    [
      {
        path: "word/document.xml",
        type: "wordprocessingml.document.main",
        xml: `<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body>${many(
          8000,
          () => `<w:p><w:r><w:t>${words(60)}</w:t></w:r></w:p>`
        )}</w:body></w:document>`
      }
    ],
    {}
  )

const sheet = (): Uint8Array =>
  packed(
    [
      {
        path: "xl/workbook.xml",
        type: "spreadsheetml.sheet.main",
        xml: `<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${office}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`
      },
      {
        path: "xl/worksheets/sheet1.xml",
        type: "spreadsheetml.worksheet",
        xml: `<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetData>${many(
          20_000,
          (row) =>
            `<row r="${row + 1}">${["A", "B", "C", "D", "E", "F", "G", "H"]
              .map((column) =>
                column < "D"
                  ? `<c r="${column}${row + 1}" t="inlineStr"><is><t>${words(2)}</t></is></c>`
                  : `<c r="${column}${row + 1}"><v>${Math.floor(random() * 1e9) / 100}</v></c>`
              )
              .join("")}</row>`
        )}</sheetData></worksheet>`
      }
    ],
    { "xl/_rels/workbook.xml.rels": relationships([["worksheet", "worksheets/sheet1.xml"]]) }
  )

const slides = (): Uint8Array => {
  const count = 400
  const paths = Array.from({ length: count }, (_, at) => `slides/slide${at + 1}.xml`)
  const namespaces = `xmlns:p="${schemas}/presentationml/2006/main" xmlns:a="${schemas}/drawingml/2006/main" xmlns:r="${office}"`
  const text = (content: string): string => `<a:p><a:r><a:t>${content}</a:t></a:r></a:p>`
  const shape = (id: number, type: string, paragraphs: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${type}"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${paragraphs}</p:txBody></p:sp>`
  return packed(
    [
      {
        path: "ppt/presentation.xml",
        type: "presentationml.presentation.main",
        xml: `<p:presentation ${namespaces}><p:sldIdLst>${many(count, (at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`)}</p:sldIdLst></p:presentation>`
      },
      ...paths.map((path) => ({
        path: `ppt/${path}`,
        type: "presentationml.slide",
        xml: `<p:sld ${namespaces}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shape(2, "title", text(words(6)))}${shape(
          3,
          "body",
          many(40, () => text(words(14)))
        )}</p:spTree></p:cSld></p:sld>`
      }))
    ],
    { "ppt/_rels/presentation.xml.rels": relationships(paths.map((path) => ["slide", path])) }
  )
}

const documents: ReadonlyArray<Document> = [
  { name: "prose.docx", type: `${media}.wordprocessingml.document`, bytes: prose() },
  { name: "sheet.xlsx", type: `${media}.spreadsheetml.sheet`, bytes: sheet() },
  { name: "slides.pptx", type: `${media}.presentationml.presentation`, bytes: slides() }
]

const compare = async (): Promise<void> => {
  const rounds = Number(values.rounds)
  const load = loadavg()[0]
  const entry = await compiled(import.meta.url)
  const contenders = [
    await Race.served("server", 1),
    await Race.served("serverFourAtOnce", 4),
    Race.alone("anydoc", entry, ["--perform", "anydoc"])
  ]
  const files = []
  for (const document of documents) {
    // The same four times: what four requests at once have to do.
    // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
    const measured = await Race.race(contenders, [document, document, document, document], rounds)
    files.push({
      name: document.name,
      bytes: document.bytes.length,
      measured,
      ratios: Race.ratios(measured, "server", ["anydoc"]),
      fourAtOnce: Race.ratios(measured, "serverFourAtOnce", ["anydoc"])
    })
  }
  await Promise.all(contenders.map(({ stop }) => stop()))
  console.log(
    JSON.stringify(
      {
        bench: "officeSpeed",
        ours: files,
        peers: ["anydoc"],
        ratio: Math.min(...files.map(({ ratios }) => ratios["anydoc"]?.cpu ?? 0)),
        machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}, load ${load?.toFixed(1)}`
      },
      null,
      2
    )
  )
}

if (values.perform === undefined) await compare()
else Race.perform(async (bytes) => [1, (await toMarkdownBytes(bytes)).length], documents)
