// A folder of documents through the embedded service: every chunk is checked against a second parse of its document.
//
//   npm run bench -- corpus FOLDER
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Async from "docsluice/Async"
import * as Discovery from "docsluice/Discovery"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const root = process.argv[2]
if (root === undefined) throw new Error("usage: npm run bench -- corpus FOLDER")

const out = mkdtempSync(join(tmpdir(), "docsluice-corpus-"))
const file = join(out, "chunks.jsonl")
const decode = Schema.decodeSync(Schema.parseJson(DocumentChunk))

try {
  const summary = await Async.ingest({ root, sinks: [Jsonl.layer({ file })] })
  const bySource = new Map<string, Array<DocumentChunk>>()
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const chunk = decode(line)
    bySource.set(chunk.source, [...(bySource.get(chunk.source) ?? []), chunk])
  }
  let wrongSlices = 0
  let outOfOrder = 0
  const check = (source: string, chunks: ReadonlyArray<DocumentChunk>) =>
    Effect.map(Effect.flatMap(Discovery.file(join(root, source)), Parser.parse), ({ markdown }) =>
      chunks.forEach((chunk, at) => {
        if (markdown.slice(chunk.start, chunk.end) !== chunk.text) wrongSlices++
        if (chunk.index !== at || chunk.start < (chunks[at - 1]?.end ?? 0)) outOfOrder++
      })
    )
  await Effect.forEach(bySource, ([source, chunks]) => check(source, chunks), { concurrency: 4, discard: true }).pipe(
    Effect.provide(Layer.provide(Parser.layer(), Embedded.layer())),
    Effect.runPromise
  )
  const failures: Record<string, number> = {}
  for (const { tag } of summary.failures) failures[tag] = (failures[tag] ?? 0) + 1
  const { discovered, durationMs, exit, failed, pages, stored } = summary
  const chunks = summary.chunks.added
  const peakRssMB = Math.round(process.resourceUsage().maxRSS / 1024)
  const ours = { discovered, stored, failed, failures, pages, chunks, durationMs, exit, peakRssMB }
  console.log(JSON.stringify({ bench: "corpus", ours, wrongSlices, outOfOrder, node: process.version }))
} finally {
  rmSync(out, { recursive: true })
}
