/**
 * A scan through `docsluice serve`, next to Tesseract alone on the same pictures: the binary, where it is installed, with its own data and
 * with those of our package, and `tesseract.js`, each on as many cores as there are; seconds of a turned page; memory of four scans at once.
 *
 *     npm run bench -- ocr PDF [--pages 8] [--rounds 3] [--against DIST]
 *
 * The scans are made of the first pages of the PDF, drawn at 150 dots to the inch. `--against`: a second build of the package (its `dist`).
 */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs, promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { createWorker } from "tesseract.js"
import * as OcrInstall from "../src/engine/ocr/OcrInstall.ts"
import * as OcrPackages from "../src/engine/ocr/OcrPackages.ts"
import * as PageDrawing from "../src/engine/ocr/PageDrawing.ts"
import * as Picture from "../src/engine/ocr/Picture.ts"
import * as PdfReader from "../src/engine/pdf/PdfReader.ts"
import * as PdfModule from "../src/engine/PdfModule.ts"
import { pdfOf } from "../test/engine/ocr/scans.ts"
import * as SpeedServer from "./speedServer.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    against: { type: "string" }
  }
})

const dpi = 150

const cores = availableParallelism()

const drawn = async (file: string, most: number): Promise<ReadonlyArray<Picture.Picture>> => {
  const bytes = readFileSync(file)
  const reader = await PdfReader.open(await PdfModule.load(), bytes, 1)
  if (PdfReader.isFailure(reader)) throw new Error(reader.message)
  const { totalPages } = reader
  reader.close()
  const pictures: Array<Picture.Picture> = []
  for (let page = 1; page <= Math.min(most, totalPages); page++) {
    // oxlint-disable-next-line no-await-in-loop -- the engine takes one call at a time
    pictures.push(Picture.fromPng(await PageDrawing.draw(bytes, page, dpi)))
  }
  return pictures
}

const scan = (pictures: ReadonlyArray<Picture.Picture>): SpeedServer.Document => ({
  name: "scan.pdf",
  type: "application/pdf",
  bytes: pdfOf(pictures)
})

/** Gives each file to the first worker that is free; returns pages a second. */
const shared = async (
  files: ReadonlyArray<string>,
  workers: ReadonlyArray<(file: string) => Promise<unknown>>
): Promise<number> => {
  const left = files.values()
  const begun = performance.now()
  const work = async (recognise: (file: string) => Promise<unknown>): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- a worker takes one after another
    for (const file of left) await recognise(file)
  }
  await Promise.all(workers.map(work))
  return files.length / ((performance.now() - begun) / 1000)
}

interface Contender {
  readonly name: string
  /** Pages a second. */
  readonly round: () => Promise<number>
  readonly stop: () => Promise<unknown>
}

const served = async (name: string, document: SpeedServer.Document, dist?: string): Promise<Contender> => {
  const server = await SpeedServer.start(dist)
  const round = async () => {
    const { pages, wallMs } = await server.round([document], 1)
    return pages / (wallMs / 1000)
  }
  return { name, round, stop: server.stop }
}

const hasBinary = (): boolean => {
  try {
    execFileSync("tesseract", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const binary = (name: string, files: ReadonlyArray<string>, args: ReadonlyArray<string>): Contender => {
  const env = { ...process.env, OMP_THREAD_LIMIT: "1" }
  const recognise = (file: string) =>
    promisify(execFile)("tesseract", [file, "-", "--dpi", String(dpi), ...args], { env })
  return {
    name,
    round: () =>
      shared(
        files,
        Array.from({ length: cores }, () => recognise)
      ),
    stop: () => Promise.resolve()
  }
}

const plainJs = async (files: ReadonlyArray<string>, langPath: string): Promise<Contender> => {
  const workers = await Promise.all(
    Array.from({ length: cores }, () => createWorker("eng", 1, { langPath, cacheMethod: "none" }))
  )
  return {
    name: "tesseract.js",
    round: () =>
      shared(
        files,
        workers.map((worker) => (file: string) => worker.recognize(readFileSync(file)))
      ),
    stop: () => Promise.all(workers.map((worker) => worker.terminate()))
  }
}

const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Highest memory in MB of a new server and its children while it reads four scans at once. */
const fourAtOnce = async (pictures: ReadonlyArray<Picture.Picture>, dist?: string): Promise<number> => {
  const server = await SpeedServer.start(dist)
  const end = server.watchMemory()
  const document = scan(pictures)
  await server.round([document, document, document, document], 4)
  const most = end()
  await server.stop()
  return Math.round(most)
}

/** Seconds of a page by its turn, and the characters that were read. */
const turned = async (picture: Picture.Picture) => {
  const server = await SpeedServer.start()
  const found: Record<string, { readonly seconds: number; readonly characters: number }> = {}
  for (const turn of [0, 90, 180, 270] as const) {
    // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
    const { characters, wallMs } = await server.round([scan([Picture.upright(picture, turn)])], 1)
    found[turn] = { seconds: rounded(wallMs / 1000), characters }
  }
  await server.stop()
  return found
}

const [file] = positionals
if (file === undefined) throw new Error("usage: npm run bench -- ocr PDF")
const packages = OcrPackages.find(import.meta.url)
const data = packages?.languages["eng"]
if (data === undefined) throw new Error(OcrInstall.command())
const load = loadavg()[0]
const pictures = await drawn(file, Number(values.pages))
const [first] = pictures
if (first === undefined) throw new Error("the PDF has no pages")
const folder = mkdtempSync(join(tmpdir(), "docsluice-bench-ocr-"))
const files = pictures.map((picture, at) => {
  const path = join(folder, `${at}.pgm`)
  writeFileSync(path, Picture.toGreyMap(picture))
  return path
})
writeFileSync(join(folder, "eng.traineddata"), gunzipSync(readFileSync(join(data, "eng.traineddata.gz"))))
const document = scan(pictures)
const contenders = [
  await served("ours", document),
  ...(values.against === undefined ? [] : [await served("against", document, values.against)]),
  await plainJs(files, data),
  ...(hasBinary()
    ? [binary("tesseract", files, []), binary("tesseract with our data", files, ["--tessdata-dir", folder])]
    : [])
]
const measured = new Map<string, Array<number>>(contenders.map(({ name }) => [name, []]))
for (let round = 0; round < Number(values.rounds); round++) {
  for (const { name, round: run } of contenders) {
    // oxlint-disable-next-line no-await-in-loop -- in turns
    measured.get(name)?.push(await run())
  }
}
await Promise.all(contenders.map(({ stop }) => stop()))
const ours = measured.get("ours") ?? []
const peers = [...measured.keys()].filter((name) => name !== "ours")
/** Median of the ratios of the rounds. */
const ratio = (name: string): number =>
  rounded(median(ours.map((own, at) => own / (measured.get(name)?.[at] ?? Number.NaN))))
const four = Array.from({ length: 2 }, (_, at) => pictures[at] ?? first)
console.log(
  JSON.stringify(
    {
      bench: "ocr",
      ours: {
        pages: pictures.length,
        pagesPerSecond: Object.fromEntries([...measured].map(([name, own]) => [name, rounded(median(own))])),
        turned: await turned(first),
        fourScansPeakMb: await fourAtOnce(four),
        ...(values.against !== undefined && { fourScansPeakMbAgainst: await fourAtOnce(four, values.against) })
      },
      peers,
      ratio: Object.fromEntries(peers.map((name) => [name, ratio(name)])),
      machine: `${cpus()[0]?.model ?? "unknown"}, ${cores} cores, Node ${process.version}, load ${load?.toFixed(1)}`
    },
    null,
    2
  )
)
rmSync(folder, { recursive: true })
