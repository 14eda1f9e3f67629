import { readdirSync, readFileSync } from "node:fs"
import { extname } from "node:path"
import { parseArgs } from "node:util"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { FileType } from "docsluice/SourceFile"
import { Clock, Duration, Effect, Option } from "effect"
/**
 * Small documents per second through the embedded engine, CPU time of host and lanes, and peak memory of both.
 *
 *     npm run bench -- lanes [--documents 2000] [--concurrency 8] [--rounds 3]
 *
 * CPU time and memory come from `/proc`: Linux only.
 */

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "2000" },
    concurrency: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" }
  }
})
const documents = Number(values.documents)
const concurrency = Number(values.concurrency)
const rounds = Number(values.rounds)

const folder = new URL("../examples/documents/", import.meta.url)

const files = ["network.html", "handbook.pdf", "visit-report.docx", "stations.csv"]

const inputOf = (filename: string, bytes: Uint8Array) => ({
  filename,
  extension: Option.getOrThrow(FileType.fromName(`x${extname(filename)}`)),
  bytes
})

const tickMillis = 10

/** Fields of `/proc/PID/stat` after the name, which may contain spaces. */
const stat = (pid: string): ReadonlyArray<string> => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return []
  }
}

const sum = (fields: ReadonlyArray<string>, from: number, to: number): number =>
  fields.slice(from, to).reduce((total, field) => total + Number(field), 0)

const children = (): ReadonlyArray<ReadonlyArray<string>> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(stat)
    .filter((fields) => fields[1] === String(process.pid))

/** CPU time in milliseconds of this process with all its threads, of its children, and of those that have ended. */
const cpu = () => {
  const own = stat("self")
  const lanes = children().reduce((total, fields) => total + sum(fields, 11, 13), 0) + sum(own, 13, 15)
  return { host: sum(own, 11, 13) * tickMillis, lanes: lanes * tickMillis }
}

const pageBytes = 4096

/** Resident memory, in megabytes, of this process and its children. */
const resident = (): number =>
  [stat("self"), ...children()].reduce((total, fields) => total + Number(fields[21] ?? 0), 0) * (pageBytes / 1_048_576)

const measure = Effect.fnUntraced(function* (filename: string) {
  const engine = yield* Engine
  const input = inputOf(filename, readFileSync(new URL(filename, folder)))
  const options = ParseOptions.resolve({})
  const call = engine.parse(input, options)
  const parse = Effect.orDie(engine.whenFree === undefined ? call : engine.whenFree(input.extension, call))
  // Parsers get faster during the first thousand documents.
  yield* Effect.replicateEffect(parse, documents / 2, { concurrency, discard: true })
  const before = cpu()
  const [wall] = yield* Effect.timed(Effect.replicateEffect(parse, documents, { concurrency, discard: true }))
  const after = cpu()
  const seconds = Duration.toSeconds(wall)
  return {
    perSecond: Math.round(documents / seconds),
    hostCpuMs: (after.host - before.host) / documents,
    lanesCpuMs: (after.lanes - before.lanes) / documents,
    residentMb: Math.round(resident())
  }
})

/** Time from an unloaded engine to the first answer, as in a run over one file. */
const firstAnswer = Effect.gen(function* () {
  const begun = yield* Clock.currentTimeMillis
  const input = inputOf("network.html", readFileSync(new URL("network.html", folder)))
  yield* Effect.flatMap(Engine, (engine) => Effect.orDie(engine.parse(input, ParseOptions.resolve({})))).pipe(
    Effect.provide(Embedded.layerNative)
  )
  return (yield* Clock.currentTimeMillis) - begun
})

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

const program = Effect.gen(function* () {
  const first = yield* Effect.replicateEffect(firstAnswer, rounds)
  const measured = yield* Effect.provide(
    Effect.replicateEffect(
      Effect.forEach(files, (file) => Effect.map(measure(file), (figures) => ({ file, ...figures }))),
      rounds
    ),
    Embedded.layerNative
  )
  const all = measured.flat()
  const of = (file: string, member: "perSecond" | "hostCpuMs" | "lanesCpuMs" | "residentMb") =>
    median(all.filter((each) => each.file === file).map((each) => each[member]))
  return {
    documents,
    concurrency,
    rounds,
    firstAnswerMs: median(first),
    small: files.map((file) => ({
      file,
      perSecond: of(file, "perSecond"),
      hostCpuMs: of(file, "hostCpuMs"),
      lanesCpuMs: of(file, "lanesCpuMs"),
      residentMb: of(file, "residentMb")
    }))
  }
})

console.log(JSON.stringify(await Effect.runPromise(program), null, 2))
