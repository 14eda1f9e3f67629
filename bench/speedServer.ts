/** The embedded service as a process (`docsluice serve`), with the requests, CPU time and memory of `pdfSpeed` and `officeSpeed`. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as ProcessTree from "./processTree.ts"

export interface Document {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Work of a round: pages and Markdown characters tell that something was parsed. */
export interface Round {
  readonly wallMs: number
  readonly cpuMs: number
  readonly pages: number
  readonly characters: number
}

export interface Server {
  /** Sends the documents, at most `concurrency` at a time, and waits for all answers. CPU time is that of server and children. */
  readonly round: (documents: ReadonlyArray<Document>, concurrency: number) => Promise<Round>
  /** Begins to sample the memory of server and children; returns a function that ends this and returns the highest sum in megabytes. */
  readonly watchMemory: () => () => number
  readonly stop: () => Promise<void>
}

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    const read = (piece: Buffer): void => {
      text += piece.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+\/v2/.exec(text)
      if (found !== null) resolve(found[0])
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    child.once("exit", (code) => reject(new Error(`the server ended with ${String(code)}: ${text}`)))
  })

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const parse = async (url: string, { bytes, name, type }: Document): Promise<readonly [number, number]> => {
  const form = new FormData()
  form.append("file", new Blob([bytes], { type }), name)
  const parsers = type === "application/pdf" ? [{ type: "pdf", mode: "auto", pages: true, blocks: true }] : undefined
  form.append("options", JSON.stringify({ formats: ["markdown"], timeout: 300_000, parsers }))
  const response = await fetch(`${url}/parse`, { method: "POST", body: form })
  const text = await response.text()
  const answer: unknown = JSON.parse(text)
  const data = property(answer, "data")
  const markdown = property(data, "markdown")
  return [
    Number(property(property(data, "metadata"), "numPages") ?? 0),
    typeof markdown === "string" ? markdown.length : 0
  ]
}

/** Starts the server of a build (its `dist`). The caller has to stop it. */
export const start = async (dist = fileURLToPath(new URL("../dist/", import.meta.url))): Promise<Server> => {
  const child = spawn(process.execPath, [`${dist}/src/cli/main.js`, "serve", "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  const url = await listening(child)
  const pid = child.pid ?? 0
  const round = async (documents: ReadonlyArray<Document>, concurrency: number): Promise<Round> => {
    const queue = [...documents]
    let pages = 0
    let characters = 0
    const cpu = ProcessTree.cpuMillis(pid)
    const begun = performance.now()
    const work = async (): Promise<void> => {
      for (let document = queue.shift(); document !== undefined; document = queue.shift()) {
        // oxlint-disable-next-line no-await-in-loop -- each worker sends one at a time
        const [some, text] = await parse(url, document)
        pages += some
        characters += text
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    return { wallMs: performance.now() - begun, cpuMs: ProcessTree.cpuMillis(pid) - cpu, pages, characters }
  }
  return {
    round,
    watchMemory: () => ProcessTree.watchMemory(pid),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        child.kill("SIGTERM")
      })
  }
}
