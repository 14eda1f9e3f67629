import { type ChildProcess, fork } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { parseArgs } from "node:util"
import { compiled } from "./compiled.ts"
/**
 * Uploads files to a server that reads and discards them: this client, the official one and a bare undici loop, with and without hashing
 * what it sends, each in a separate process, in turns. Then reads a large answer: this client, and a bare loop that makes a string of its
 * bytes and parses it as JSON.
 *
 *     node --import tsx bench/upload.ts [--files 200] [--mb 20] [--concurrency 8] [--rounds 1] [--answers 5]
 */

interface Task {
  readonly base: string
  readonly folder: string
  readonly files: number
  readonly bytes: number
  readonly concurrency: number
  /** How often each file is sent; default once. */
  readonly times?: number
}

interface Measured {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakRssMb: number
  /** Memory after loading and before sending: the share of the libraries in the peak. */
  readonly idleRssMb: number
}

const key = "bench"
const names = (task: Task): ReadonlyArray<string> =>
  Array.from({ length: task.files * (task.times ?? 1) }, (_, index) => `${index % task.files}.pdf`)

/** Runs over all files, `concurrency` at a time. */
const pool = async (task: Task, one: (name: string) => Promise<void>): Promise<void> => {
  const queue = [...names(task)]
  const worker = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- a worker does one file after the other
      await one(name)
    }
  }
  await Promise.all(Array.from({ length: task.concurrency }, worker))
}

/** Loads its own modules, so that neither their time nor their memory counts for another contender, and returns the work to measure. */
type Contender = () => Promise<(task: Task) => Promise<void>>

const official: Contender = async () => {
  const { Firecrawl } = await import("@mendable/firecrawl-js")
  return (task) => {
    const client = new Firecrawl({ apiKey: key, apiUrl: task.base.replace(/\/v2$/, "") })
    return pool(task, async (filename) => {
      await client.parse({ data: await readFile(join(task.folder, filename)), filename })
    })
  }
}

const bare =
  (hashing: boolean): Contender =>
  async () => {
    const { Agent, request } = await import("undici")
    const dispatcher = new Agent()
    const boundary = "bare-undici-loop"
    const tail = `\r\n--${boundary}--\r\n`
    const upload = async (task: Task, name: string): Promise<void> => {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n`
      const hash = createHash("sha256")
      const parts = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from(head)
        for await (const part of createReadStream(join(task.folder, name), { highWaterMark: 256 * 1024 })) {
          if (hashing) hash.update(part)
          yield part
        }
        if (hashing) hash.digest("hex")
        yield Buffer.from(tail)
      }
      const answer = await request(`${task.base}/parse`, {
        method: "POST",
        dispatcher,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "content-length": String(head.length + task.bytes + tail.length)
        },
        body: Readable.from(parts(), { objectMode: false })
      })
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      JSON.parse(bytes.toString())
    }
    return async (task) => {
      await pool(task, (name) => upload(task, name))
      await dispatcher.close()
    }
  }

const docsluice =
  (transport: "own" | "platform"): Contender =>
  async () => {
    const { uploadAll } = await import("./docsluice-upload.ts")
    return (task) => uploadAll({ ...task, key, transport, names: names(task) })
  }

const contenders: Readonly<Record<string, Contender>> = {
  ours: docsluice("own"),
  platform: docsluice("platform"),
  official,
  bare: bare(false),
  bareHashing: bare(true)
}

const answer = JSON.stringify({ success: true, data: { markdown: "# Done", metadata: { numPages: 1 } } })

/** An answer of 20 MB with 10,000 blocks, for uploads below `/large`. */
const largeAnswer = (): string => {
  const words = "Some words of a paragraph of a report. ".repeat(25)
  const items = (page: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      id: `p${page}.b${index}`,
      type: "text",
      label: "paragraph",
      bbox: [0.1, index / 200, 0.9, index / 200 + 0.004],
      content: words,
      markdownSpan: [(page * 100 + index) * words.length, (page * 100 + index + 1) * words.length],
      readingOrder: index,
      source: "text-layer",
      confidence: { layout: 0.9, ocr: null }
    }))
  const blocks = Array.from({ length: 100 }, (_, page) => ({
    pageNumber: page + 1,
    width: 612,
    height: 792,
    status: "ok",
    items: items(page)
  }))
  return JSON.stringify({
    success: true,
    data: { markdown: words.repeat(10_000), blocks, metadata: { numPages: 100, totalPages: 100 } }
  })
}

/** Reads and discards; answers after 25 to 75 ms. */
const serve = (): void => {
  let large: string | undefined
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on("end", () => {
      setTimeout(
        () => {
          response.writeHead(200, { "content-type": "application/json" })
          response.end(incoming.url?.startsWith("/large") === true ? (large ??= largeAnswer()) : answer)
        },
        25 + Math.random() * 50
      )
    })
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v2`)
  })
}

const measure = async (contender: Contender, task: Task): Promise<Measured> => {
  const work = await contender()
  const idleRssMb = Math.round(process.memoryUsage.rss() / 1024 / 1024)
  const started = performance.now()
  const before = process.cpuUsage()
  await work(task)
  const cpu = process.cpuUsage(before)
  return {
    wallMs: Math.round(performance.now() - started),
    cpuMs: Math.round((cpu.user + cpu.system) / 1000),
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
    idleRssMb
  }
}

const start = async (role: string): Promise<ChildProcess> =>
  fork(await program(), [], { env: { ...process.env, BENCH_ROLE: role }, execArgv: [] })

let built: Promise<string> | undefined
const program = (): Promise<string> => (built ??= compiled(import.meta.url))

const isMeasured = (message: unknown): message is Measured =>
  typeof message === "object" && message !== null && "peakRssMb" in message

const run = async (name: string, task: Task): Promise<Measured> => {
  const child = await start(name)
  return new Promise((resolve, reject) => {
    child.on("message", (message) => {
      if (isMeasured(message)) resolve(message)
    })
    child.on("exit", (code) => reject(new Error(`${name} ended with ${code}`)))
    child.send(task)
  })
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const summary = (rounds: ReadonlyArray<Measured>, task: Task) => {
  const wallMs = median(rounds.map((round) => round.wallMs))
  return {
    wallMs,
    cpuMs: median(rounds.map((round) => round.cpuMs)),
    peakRssMb: Math.max(...rounds.map((round) => round.peakRssMb)),
    idleRssMb: median(rounds.map((round) => round.idleRssMb)),
    mbPerSecond: Math.round((task.files * task.bytes) / 1e3 / wallMs)
  }
}

/** CPU time of an answer of 20 MB, in milliseconds, after a first one; one at a time. */
const largeAnswers = async (task: Task, answers: number) => {
  const bytes = 1000
  await sparse(join(task.folder, "0.pdf"), bytes)
  const base = task.base.replace(/\/v2$/, "/large/v2")
  const cpu = async (name: string): Promise<number> => {
    const alike = { ...task, base, bytes, concurrency: 1 }
    const first = await run(name, { ...alike, files: 1 })
    const all = await run(name, { ...alike, files: 1, times: 1 + answers })
    return Math.round((all.cpuMs - first.cpuMs) / answers)
  }
  const ours = await cpu("ours")
  const bare = await cpu("bare")
  return { ours, "bare undici, bytes to string, JSON.parse": bare, ratio: Number((ours / bare).toFixed(2)) }
}

const sparse = async (path: string, bytes: number): Promise<void> => {
  await writeFile(path, "")
  await truncate(path, bytes)
}

const compare = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      files: { type: "string", default: "200" },
      mb: { type: "string", default: "20" },
      concurrency: { type: "string", default: "8" },
      rounds: { type: "string", default: "1" },
      answers: { type: "string", default: "5" }
    }
  })
  const folder = await mkdtemp(join(tmpdir(), "docsluice-bench-"))
  const server = await start("server")
  try {
    const base = await new Promise<string>((resolve) =>
      server.once("message", (message) => resolve(typeof message === "string" ? message : ""))
    )
    const bytes = Math.round(Number(values.mb) * 1e6)
    const task = { base, folder, files: Number(values.files), bytes, concurrency: Number(values.concurrency) }
    await Promise.all(names(task).map((name) => sparse(join(folder, name), bytes)))
    const results = new Map(Object.keys(contenders).map((name) => [name, new Array<Measured>()]))
    for (let round = 0; round < Number(values.rounds); round++) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one at a time, or they would measure each other
      for (const [name, measured] of results) measured.push(await run(name, task))
    }
    const of = (name: string) => summary(results.get(name) ?? [], task)
    const large = await largeAnswers(task, Number(values.answers))
    console.log(
      JSON.stringify({
        bench: "upload",
        files: task.files,
        bytes,
        concurrency: task.concurrency,
        ours: of("ours"),
        oursOverPlatformTransport: of("platform"),
        peers: {
          "@mendable/firecrawl-js": of("official"),
          "bare undici": of("bare"),
          "bare undici that hashes": of("bareHashing")
        },
        /** Throughput of ours divided by that of the bare loop that hashes too. */
        ratio: Number((of("bareHashing").wallMs / of("ours").wallMs).toFixed(2)),
        largeAnswer: large,
        machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
      })
    )
  } finally {
    server.kill()
    await rm(folder, { recursive: true })
  }
}

const isTask = (message: unknown): message is Task =>
  typeof message === "object" && message !== null && "base" in message

const role = process.env["BENCH_ROLE"]
const contender = contenders[role ?? ""]
if (role === "server") serve()
else if (contender === undefined) await compare()
else {
  process.once("message", (task) => {
    if (!isTask(task)) return
    void measure(contender, task).then((measured) => {
      process.send?.(measured)
      process.disconnect()
    })
  })
}
