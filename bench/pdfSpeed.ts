/**
 * PDFs through `docsluice serve` and in process, next to `@llamaindex/liteparse-wasm` alone in a process: pages a second, CPU time, memory.
 *
 *     npm run bench -- pdfSpeed FOLDER [--rounds 3] [--large 100] [--against DIST]
 *
 * FOLDER: PDFs, read recursively. Those of more pages than `--large` are measured each by itself. `--against`: a second build of the package
 * (its `dist`), whose server takes turns with this one's.
 */
import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { initSync, LiteParse, type LiteParseConfig } from "@llamaindex/liteparse-wasm"
import * as PdfCall from "../src/engine/pdf/PdfCall.ts"
import * as WritePdf from "../test/engine/pdf/writePdf.ts"
import { compiled } from "./compiled.ts"
import * as Race from "./race.ts"
import * as SpeedServer from "./speedServer.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    large: { type: "string", default: "100" },
    against: { type: "string" },
    perform: { type: "string" }
  }
})

const isPdf = (name: string): boolean => name.endsWith(".pdf")

const read = (folder: string): ReadonlyArray<SpeedServer.Document> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(isPdf)
    .toSorted()
    .map((name) => ({ name, type: "application/pdf", bytes: readFileSync(join(folder, name)) }))

const wasm = () => readFileSync(new URL(import.meta.resolve("@llamaindex/liteparse-wasm/liteparse_wasm_bg.wasm")))

const plain: LiteParseConfig = { ocrEnabled: false, quiet: true }

/** Settings of the peer: its own, its own with Markdown, and those that our layout needs. */
const peers: Readonly<Record<string, LiteParseConfig>> = {
  plain,
  markdown: { ...plain, outputFormat: "markdown" },
  ourSettings: { ...plain, ...PdfCall.settings }
}

/** The peer's parse; a document that it cannot read has no pages. */
const peer = (settings: LiteParseConfig): Race.Parse => {
  initSync({ module: wasm() })
  return async (bytes) => {
    const parser = new LiteParse(settings)
    try {
      const { pages, text } = await parser.parse(bytes)
      return [pages.length, text.length]
    } catch (cause) {
      if (cause instanceof Error && cause.name === "RuntimeError") throw cause
      return [0, 0]
    } finally {
      parser.free()
    }
  }
}

const inProcess = async (): Promise<Race.Parse> => {
  const [{ parsePdf }, module] = await Promise.all([
    import("../src/engine/pdf/PdfEngine.ts"),
    import("../src/engine/PdfModule.ts").then(({ load }) => load())
  ])
  return async (bytes) => {
    const result = await parsePdf(bytes, { mode: "auto", pages: true, blocks: true, pageMarkers: false }, { module })
    return result.kind === "success" ? [result.metadata.numPages, result.markdown.length] : [0, 0]
  }
}

/** Pages of the document whose pages are all alike, and number of parts in which their cost is compared. */
const uniform = { pages: 1600, parts: 4 }

const uniformPdf = (): Uint8Array =>
  WritePdf.write({
    pages: Array.from({ length: uniform.pages }, (_, page) => ({
      marks: WritePdf.lines(
        72,
        72,
        Array.from({ length: 40 }, (_line, line) => `Page ${page}, line ${line}: one of many lines of equal length.`)
      )
    }))
  })

/** Highest memory of a new server and its children while it reads one document. */
const memory = async (document: SpeedServer.Document): Promise<number> => {
  const server = await SpeedServer.start()
  const end = server.watchMemory()
  await server.round([document], 1)
  const most = end()
  await server.stop()
  return Math.round(most)
}

/** CPU time of the reading of a page, in each part of a document whose pages are all alike. */
const pageCosts = async (): Promise<ReadonlyArray<number>> => {
  const [Reader, module] = await Promise.all([
    import("../src/engine/pdf/PdfReader.ts"),
    import("../src/engine/PdfModule.ts").then(({ load }) => load())
  ])
  const bytes = uniformPdf()
  const part = uniform.pages / uniform.parts
  const costs = async (): Promise<ReadonlyArray<number>> => {
    const reader = await Reader.open(module, bytes, uniform.pages)
    if (Reader.isFailure(reader)) throw new Error(reader.message)
    const sums = Array.from({ length: uniform.parts }, () => 0)
    let cpu = process.cpuUsage()
    let last = 0
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one batch after another
      const batch = await reader.next()
      if (batch === undefined) return sums.map((sum) => Race.rounded(sum / part))
      if (Reader.isFailure(batch)) throw new Error(batch.message)
      const { system, user } = process.cpuUsage(cpu)
      const perPage = (user + system) / 1000 / (batch.endPage - last)
      // A batch that spans two parts counts for each by its pages.
      for (let page = last; page < batch.endPage; page++) {
        const at = Math.floor(page / part)
        sums[at] = (sums[at] ?? 0) + perPage
      }
      last = batch.endPage
      cpu = process.cpuUsage()
    }
  }
  // The first time compiles the code.
  await costs()
  return costs()
}

const compare = async (folder: string): Promise<void> => {
  const rounds = Number(values.rounds)
  const large = Number(values.large)
  const load = loadavg()[0]
  const entry = await compiled(import.meta.url)
  const documents = read(folder)
  const alone = (role: string): Race.Contender => Race.alone(role, entry, [folder, "--perform", role])
  const count = alone("plain")
  const long: Array<SpeedServer.Document> = []
  const short: Array<SpeedServer.Document> = []
  for (const document of documents) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const { pages } = await count.round([document])
    if (pages > 0) (pages > large ? long : short).push(document)
  }
  await count.stop()
  const contenders = [
    await Race.served("server", 1),
    await Race.served("serverFourAtOnce", 4),
    ...(values.against === undefined ? [] : [await Race.served("against", 1, values.against)]),
    alone("inProcess"),
    ...Object.keys(peers).map(alone)
  ]
  const parts = []
  for (const [name, own] of [["short documents", short] as const, ...long.map((one) => [one.name, [one]] as const)]) {
    if (own.length === 0) continue
    // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
    const measured = await Race.race(contenders, own, rounds)
    // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
    const peakMb = own.length === 1 && own[0] !== undefined ? await memory(own[0]) : undefined
    parts.push({
      name,
      documents: own.length,
      measured,
      ratios: Race.ratios(measured, "server", Object.keys(peers)),
      peakMb
    })
  }
  await Promise.all(contenders.map(({ stop }) => stop()))
  console.log(
    JSON.stringify(
      {
        bench: "pdfSpeed",
        ours: { parts, cpuMsPerPageByPart: await pageCosts() },
        peers: Object.keys(peers),
        ratio: parts[0]?.ratios["markdown"]?.wall ?? null,
        machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}, load ${load?.toFixed(1)}`
      },
      null,
      2
    )
  )
}

const [folder] = positionals
if (folder === undefined) throw new Error("usage: npm run bench -- pdfSpeed FOLDER")
if (values.perform === undefined) await compare(folder)
else {
  const settings = peers[values.perform]
  Race.perform(settings === undefined ? await inProcess() : peer(settings), read(folder))
}
