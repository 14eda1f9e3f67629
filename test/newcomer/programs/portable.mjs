// Texts and web pages into chunks, in a browser, a worker or Node: the same ids everywhere.
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
const chunkers = [AutoChunker, BlockChunker, MarkdownChunker, PageChunker]

const lines = ([path, text], tokenizer) =>
  Effect.gen(function* () {
    const file = SourceFile.fromBytes({ root: "docs", path, bytes: new TextEncoder().encode(text) })
    const document = yield* Portable.parse(file)
    const all = []
    for (const { make } of chunkers) {
      const { chunks } = yield* make({ maxTokens: 64 }).chunk(document)
      for (const { id, text } of chunks) all.push(`${path} ${id} ${text.length}`)
    }
    return all
  }).pipe(Effect.provide(Tokenizer.layer(tokenizer)))

/** A line for each chunk: its file, its id, the length of its text. */
export const chunks = async () => {
  const all = []
  for (const tokenizer of ["o200k_base", "chars"]) {
    for (const file of Object.entries(files)) all.push(...(await Effect.runPromise(lines(file, tokenizer))))
  }
  for (const path of ["letter.eml", "letter.msg", "report.pdf", "letter.docx"]) {
    const refused = Effect.flip(Portable.parse(SourceFile.fromBytes({ root: "docs", path, bytes: new Uint8Array(3) })))
    all.push(await Effect.runPromise(Effect.map(refused, ({ _tag }) => `${path} ${_tag}`)))
  }
  return all.join("\n")
}
