// Texts, web pages and a PDF into chunks, in a browser, a worker or Node: the same ids everywhere.
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import * as Portable from "docsluice/Portable"
import * as SourceFile from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"

const paragraphs = Array.from(
  { length: 30 },
  (_, at) => `Öl gauge ${at} 😀 is cleaned every ${at + 2} weeks, after each storm too.`
)
const files = {
  "page.html": `<html lang="en"><head><title>Gauges</title></head><body><main><h1>Gauges</h1><p>${paragraphs.join("</p><p>")}</p><table><tr><th>part</th><th>shelf</th></tr><tr><td>float</td><td>A1</td></tr></table></main></body></html>`,
  "notes.md": `---\ntitle: Notes\n---\n# Notes\n\n${paragraphs.join("\n\n")}\n\n## Code\n\n\`\`\`js\nlet a = 1\n\`\`\`\n`,
  "plain.txt": paragraphs.join("\n\n"),
  "data.json": JSON.stringify({ gauges: paragraphs }, null, 2),
  "config.yaml": "station:\n  name: North Quay\n  gauges: 3\n",
  "feed.xml": "<feed><title>Gauges</title><entry>North Quay</entry></feed>",
  "part.mdx": "# Part\n\n<Gauge />\n\nIt is cleaned.\n",
  "run.log": "2026-05-01 started\n2026-05-02 ended\n",
  "page.adoc": "= Guide\n\n== Cleaning\n\nEvery two weeks.\n",
  "page.org": "* Guide\n** Cleaning\nEvery two weeks.\n",
  "rows.jsonl": '{"gauge": 1}\n{"gauge": 2}\n',
  "book.ipynb": JSON.stringify({
    cells: [{ cell_type: "markdown", metadata: {}, source: ["# Gauges"] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5
  }),
  "guide.rst": `Guide\n=====\n\n${paragraphs.slice(0, 4).join("\n\n")}\n`
}
const encoder = new TextEncoder()
const deflated = async (text) => {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
const object = (number, ...parts) => [`${number} 0 obj\n`, ...parts, "\nendobj\n"]
const stream = async (entries, text) => {
  const data = await deflated(text)
  return [`<< ${entries} /Filter /FlateDecode /Length ${data.length} >>\nstream\n`, data, "\nendstream"]
}
/** Two pages, and a title in a packed object. */
const report = async () => {
  const text = (...lines) =>
    `BT /F1 12 Tf 72 ${500 + lines.length} Td 14 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`
  const page = (content) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 7 0 R >> >> >>`
  const objects = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>"],
    [page(5)],
    [page(6)],
    await stream("", text("The gauge at North Quay is cleaned", "every two weeks, after each storm too.")),
    await stream("", text("Parts are on shelf A1.")),
    ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
    await stream("/Type /ObjStm /N 1 /First 4", "9 0 << /Title (Cleaning) >>")
  ]
  const parts = ["%PDF-1.5\n"]
  const places = []
  for (const [at, own] of objects.entries()) {
    places.push(new Blob(parts).size)
    parts.push(...object(at + 1, ...own))
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows}`
  const trailer = `trailer\n<< /Root 1 0 R /Info 9 0 R /Size 10 >>\nstartxref\n${new Blob(parts).size}\n%%EOF\n`
  return new Uint8Array(await new Blob([...parts, table, trailer]).arrayBuffer())
}
const chunkers = [AutoChunker, BlockChunker, MarkdownChunker, PageChunker]

const lines = ([path, bytes], tokenizer, pdf) =>
  Effect.gen(function* () {
    const document = yield* Portable.parse(SourceFile.fromBytes({ root: "docs", path, bytes }), { pdf })
    const all = [`${path} ${String(document.metadata.title)} ${document.warnings.join()}`]
    for (const { make } of chunkers) {
      const { chunks } = yield* make({ maxTokens: 64 }).chunk(document)
      for (const { id, text } of chunks) all.push(`${path} ${id} ${text.length}`)
    }
    return all
  }).pipe(Effect.provide(Tokenizer.layer(tokenizer)))

/** A line for each chunk: its file, its id, the length of its text. `pdf`: the compiled WebAssembly of the PDF parser. */
export const chunks = async (pdf) => {
  const all = []
  const texts = Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])
  for (const tokenizer of ["o200k_base", "chars"]) {
    for (const file of [...texts, ["report.pdf", await report()]]) {
      all.push(...(await Effect.runPromise(lines(file, tokenizer, pdf))))
    }
  }
  for (const path of ["letter.eml", "letter.msg", "report.pdf", "letter.docx"]) {
    const refused = Effect.flip(Portable.parse(SourceFile.fromBytes({ root: "docs", path, bytes: new Uint8Array(3) })))
    all.push(await Effect.runPromise(Effect.map(refused, ({ _tag }) => `${path} ${_tag}`)))
  }
  return all.join("\n")
}
