/**
 * Markdown files of a folder that is made here: reading them, next to a bare loop that reads, hashes and decodes; and a whole run
 * with discovery, chunks counted by o200k_base and a JSONL file, next to LangChain's splitter with the same counter over the same texts.
 * In one process, in turns.
 *
 *     npm run bench -- texts [--files 2000] [--rounds 5]
 */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import { AutoChunker, DeadLetter, Discovery, Embedded, Parser, Pipeline, Tokenizer } from "docsluice"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { Effect, Layer, Stream } from "effect"
import { call, construct, load, member } from "./peerPackage.ts"

const fixtures = fileURLToPath(new URL("../test/reading/fixtures", import.meta.url))

/** READMEs of packages, each under many names and with a line of its own. */
const plant = (root: string, files: number): number => {
  const texts = ["md", "markdown"].flatMap((folder) =>
    readdirSync(join(fixtures, folder)).map((name) => readFileSync(join(fixtures, folder, name), "utf8"))
  )
  let bytes = 0
  for (let at = 0; at < files; at++) {
    const folder = join(root, `folder-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(folder, { recursive: true })
    const text = `---\ntitle: Document ${at}\ntags: [a, b]\n---\n${texts[at % texts.length] ?? ""}`
    bytes += Buffer.byteLength(text)
    writeFileSync(join(folder, `document-${at}.md`), text)
  }
  return bytes
}

const paths = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, name))

const bare = async (root: string): Promise<number> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let characters = 0
  for (const path of paths(root)) {
    const bytes = readFileSync(path)
    createHash("sha256").update(bytes).digest("hex")
    characters += decoder.decode(bytes).length
  }
  return characters
}

const read = (root: string): Promise<number> =>
  Discovery.discover({ root }).pipe(
    Stream.filter((found) => found._tag === "SourceFile"),
    Stream.mapEffect((file) => Parser.texts().parse(file, {})),
    Stream.runFold(0, (sum, document) => sum + document.markdown.length),
    Effect.runPromise
  )

const ingest = (root: string): Promise<number> =>
  Effect.gen(function* () {
    const sinks = [yield* Jsonl.make({ file: join(root, "..", "chunks.jsonl") })]
    const source = Discovery.folder({ root })
    const summary = yield* Pipeline.run({ source, chunker: AutoChunker.make({ maxTokens: 512 }), sinks })
    if (summary.stored !== summary.discovered) throw new Error(`stored ${summary.stored} of ${summary.discovered}`)
    return summary.chunks.added
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        Layer.provide(Parser.layer(), Embedded.layer()),
        Tokenizer.layer("o200k_base"),
        DeadLetter.layerMemory
      )
    ),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

const langchain = async (root: string): Promise<number> => {
  const library = await load("@langchain/textsplitters")
  const count = await Effect.runPromise(
    Effect.provide(
      Effect.map(Tokenizer.Tokenizer, (tokenizer) => (text: string) => tokenizer.count(text)),
      Tokenizer.layer("o200k_base")
    )
  )
  const splitter = construct(member(library, "MarkdownTextSplitter"), {
    chunkSize: 512,
    chunkOverlap: 0,
    lengthFunction: count
  })
  let chunks = 0
  const lines: Array<string> = []
  for (const path of paths(root)) {
    const found: unknown = await call(splitter, "splitText", readFileSync(path, "utf8"))
    for (const text of Array.isArray(found) ? found : []) lines.push(JSON.stringify({ path, text }))
    chunks += Array.isArray(found) ? found.length : 0
  }
  writeFileSync(join(root, "..", "langchain.jsonl"), lines.join("\n"))
  return chunks
}

const works = { bare, read, langchain, ingest }

type Name = keyof typeof works

const names = ["bare", "read", "langchain", "ingest"] as const

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN

const rounded = (value: number): number => Math.round(value * 1000) / 1000

const { values } = parseArgs({
  options: { files: { type: "string", default: "2000" }, rounds: { type: "string", default: "5" } }
})
const [files, rounds] = [Number(values.files), Number(values.rounds)]
const folder = mkdtempSync(join(tmpdir(), "docsluice-texts-"))
try {
  const root = join(folder, "docs")
  const bytes = plant(root, files)
  const results: Record<Name, Array<{ readonly cpu: number; readonly wall: number }>> = {
    bare: [],
    read: [],
    langchain: [],
    ingest: []
  }
  const gave: Partial<Record<Name, number>> = {}
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      rmSync(join(folder, "chunks.jsonl"), { force: true })
      const started = performance.now()
      const before = process.cpuUsage()
      gave[name] = await works[name](root)
      const { system, user } = process.cpuUsage(before)
      // The first round warms up.
      if (round > 0)
        results[name].push({ cpu: (user + system) / 1000 / files, wall: (performance.now() - started) / files })
    }
  }
  const [bareMs, readMs, langchainMs, ingestMs] = names.map((name) => ({
    cpuMsPerDocument: rounded(median(results[name].map(({ cpu }) => cpu))),
    wallMsPerDocument: rounded(median(results[name].map(({ wall }) => wall))),
    gave: gave[name]
  }))
  console.log(
    JSON.stringify(
      {
        bench: "texts",
        files,
        rounds,
        meanBytes: Math.round(bytes / files),
        ours: { read: readMs, ingest: ingestMs },
        peers: { bareLoop: bareMs, langchain: langchainMs },
        ratio: {
          read: rounded((readMs?.cpuMsPerDocument ?? Number.NaN) / (bareMs?.cpuMsPerDocument ?? Number.NaN)),
          ingest: rounded((ingestMs?.cpuMsPerDocument ?? Number.NaN) / (langchainMs?.cpuMsPerDocument ?? Number.NaN))
        },
        machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
      },
      null,
      2
    )
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
