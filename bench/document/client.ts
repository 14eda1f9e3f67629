import { type ChildProcess, fork } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compiled } from "../compiled.ts"

/**
 * CPU time of one `client.parse` of a small file, next to a bare undici loop that reads the same files, sends them and parses the
 * answers: each in a process of its own, in turns. Also the parser with its cache, on a first run and answered from the cache.
 */

interface Task {
  readonly base: string
  readonly folder: string
  readonly state: string
  readonly concurrency: number
}

/** Microseconds of a document. */
interface Measured {
  readonly cpu: number
  readonly wall: number
}

/** Loads its own modules, so that their time does not count, and returns the work to measure; the work returns how many documents it parsed. */
type Contender = () => Promise<(task: Task) => Promise<() => Promise<number>>>

const boundary = "bare-undici-loop"

const bare: Contender = async () => {
  const { Agent, request } = await import("undici")
  return async (task) => {
    const names = await readdir(task.folder)
    const dispatcher = new Agent()
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
    const one = async (name: string): Promise<void> => {
      const head = Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/html\r\n\r\n`
      )
      const body = Buffer.concat([head, await readFile(join(task.folder, name)), tail])
      const answer = await request(`${task.base}/parse`, { method: "POST", dispatcher, headers, body })
      const json: unknown = await answer.body.json()
      if (answer.statusCode !== 200 || json === null) throw new Error(`status ${answer.statusCode}`)
    }
    return async () => {
      const queue = [...names]
      const worker = async (): Promise<void> => {
        for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
          // oxlint-disable-next-line eslint/no-await-in-loop -- a worker does one file after the other
          await one(name)
        }
      }
      await Promise.all(Array.from({ length: task.concurrency }, worker))
      await dispatcher.close()
      return names.length
    }
  }
}

const docsluice =
  (kind: "client" | "parser"): Contender =>
  async () => {
    const { parseFolder } = await import("./docsluice-client.ts")
    return (task) => parseFolder(kind, task)
  }

const contenders: Readonly<Record<string, Contender>> = {
  client: docsluice("client"),
  bare,
  cache: docsluice("parser"),
  fromCache: docsluice("parser")
}

/** Reads the upload and answers, after 5 ms, with Markdown of half its length. */
const serve = (): void => {
  const server = createServer((incoming, response) => {
    let size = 0
    incoming.on("data", (part: Buffer) => {
      size += part.length
    })
    incoming.on("end", () => {
      setTimeout(() => {
        const markdown = "# Heading\n\nSome words of a paragraph.\n\n".repeat(Math.ceil(size / 80))
        response.writeHead(200, { "content-type": "application/json" })
        response.end(
          JSON.stringify({ success: true, data: { markdown, metadata: { sourceURL: "a.html", statusCode: 200 } } })
        )
      }, 5)
    })
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v2`)
  })
}

const work = async (contender: Contender, task: Task): Promise<Measured> => {
  const run = await (await contender())(task)
  const started = performance.now()
  const before = process.cpuUsage()
  const documents = await run()
  const { system, user } = process.cpuUsage(before)
  return {
    cpu: Math.round((user + system) / documents),
    wall: Math.round(((performance.now() - started) * 1000) / documents)
  }
}

const start = async (role: string): Promise<ChildProcess> =>
  fork(await program(), [], { env: { ...process.env, BENCH_CLIENT_ROLE: role }, execArgv: [] })

let built: Promise<string> | undefined
const program = (): Promise<string> => (built ??= compiled(import.meta.url))

const isMeasured = (message: unknown): message is Measured =>
  typeof message === "object" && message !== null && "cpu" in message

const once = async (name: string, task: Task): Promise<Measured> => {
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

const summary = (rounds: ReadonlyArray<Measured>): Measured => ({
  cpu: median(rounds.map(({ cpu }) => cpu)),
  wall: median(rounds.map(({ wall }) => wall))
})

/** Files of that many bytes, no two alike. */
const write = async (folder: string, files: number, bytes: number): Promise<void> => {
  for (let index = 0; index < files; index++) {
    const head = `<html><body><h1>Document ${index}</h1>`
    // oxlint-disable-next-line eslint/no-await-in-loop -- thousands of files, one open at a time
    await writeFile(
      join(folder, `${index}.html`),
      head + "<p>Some words of a paragraph.</p>\n".repeat(bytes).slice(0, bytes - head.length)
    )
  }
}

const compare = async (base: string, bytes: number, options: Options) => {
  const folder = await mkdtemp(join(tmpdir(), "docsluice-bench-"))
  const results = new Map(Object.keys(contenders).map((name) => [name, new Array<Measured>()]))
  try {
    await write(folder, options.files, bytes)
    for (let round = 0; round < options.rounds; round++) {
      const state = await mkdtemp(join(tmpdir(), "docsluice-bench-"))
      try {
        for (const [name, measured] of results) {
          measured.push(await once(name, { base, folder, state, concurrency: options.concurrency }))
        }
      } finally {
        await rm(state, { recursive: true })
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  const of = (name: string) => summary(results.get(name) ?? [])
  return {
    ours: { client: of("client"), parserWithCache: of("cache"), parserFromCache: of("fromCache") },
    peers: { "bare undici": of("bare") },
    /** CPU of `client.parse` divided by that of the bare loop. */
    ratio: Number((of("client").cpu / of("bare").cpu).toFixed(2))
  }
}

interface Options {
  readonly files: number
  readonly concurrency: number
  readonly rounds: number
}

/** Microseconds a document, medians of the rounds, for files of 2.6 KB and of 20 KB. */
export const measure = async (options: Options = { files: 1000, concurrency: 16, rounds: 3 }) => {
  const server = await start("server")
  try {
    const base = await new Promise<string>((resolve) =>
      server.once("message", (message) => resolve(typeof message === "string" ? message : ""))
    )
    return { "2.6 KB": await compare(base, 2600, options), "20 KB": await compare(base, 20_000, options) }
  } finally {
    server.kill()
  }
}

const isTask = (message: unknown): message is Task =>
  typeof message === "object" && message !== null && "folder" in message

const role = process.env["BENCH_CLIENT_ROLE"]
const contender = contenders[role ?? ""]
if (role === "server") serve()
else if (contender !== undefined) {
  process.once("message", (task) => {
    if (!isTask(task)) return
    void work(contender, task).then((measured) => {
      process.send?.(measured)
      process.disconnect()
    })
  })
}
