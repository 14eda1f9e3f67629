/** Chromium, one process for all documents, driven through a pipe. */
import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { pathToFileURL } from "node:url"
import { Predicate } from "effect"
import * as Html from "../html.ts"
import type { Job, Producer } from "./producer.ts"

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--remote-debugging-pipe"
]

type Answer = Readonly<Record<string, unknown>>

const record = (value: unknown): Answer => (Predicate.isReadonlyRecord(value) ? value : {})

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** Calls of the DevTools protocol: JSON, each message ended by a zero byte. */
class Session {
  private readonly waiting = new Map<
    number,
    { readonly resolve: (answer: Answer) => void; readonly reject: (cause: Error) => void }
  >()
  private readonly events = new Map<string, () => void>()
  private readonly input: Writable
  private last = 0

  constructor(child: ChildProcess) {
    const [, , , input, output] = child.stdio
    if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error("Chromium has no pipe")
    this.input = input
    let held: Array<Buffer> = []
    output.on("data", (chunk: Buffer) => {
      let start = 0
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
        held.push(chunk.subarray(start, end))
        this.receive(Buffer.concat(held).toString("utf8"))
        held = []
        start = end + 1
      }
      held.push(chunk.subarray(start))
    })
    child.once("exit", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("Chromium ended"))
    })
  }

  private receive(message: string): void {
    const answer = record(JSON.parse(message))
    if (typeof answer["id"] === "number") {
      const call = this.waiting.get(answer["id"])
      this.waiting.delete(answer["id"])
      if (answer["error"] === undefined) call?.resolve(record(answer["result"]))
      else call?.reject(new Error(JSON.stringify(answer["error"])))
    } else this.events.get(text(answer["method"]))?.()
  }

  call(method: string, params: Answer = {}, sessionId?: string): Promise<Answer> {
    const id = ++this.last
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
    })
  }

  event(method: string): Promise<void> {
    return new Promise((resolve) => this.events.set(method, resolve))
  }
}

const print = async (jobs: ReadonlyArray<Job>, scratch: string, tagged: boolean): Promise<void> => {
  const child = spawn("nice", ["-n", "10", "chromium", ...flags, `--user-data-dir=${join(scratch, "chromium")}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]
  })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  try {
    const session = new Session(child)
    const { targetId } = await session.call("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await session.call("Target.attachToTarget", { targetId, flatten: true })
    const tab = text(sessionId)
    await session.call("Page.enable", {}, tab)
    for (const { document, pdf } of jobs) {
      const page = join(scratch, "page.html")
      writeFileSync(page, Html.make(document, { mathml: true, footnotes: false }))
      const loaded = session.event("Page.loadEventFired")
      await session.call("Page.navigate", { url: pathToFileURL(page).href }, tab)
      await loaded
      const { data } = await session.call(
        "Page.printToPDF",
        {
          preferCSSPageSize: true,
          printBackground: true,
          generateTaggedPDF: tagged,
          generateDocumentOutline: tagged && document.seed % 2 === 0
        },
        tab
      )
      writeFileSync(pdf, Buffer.from(text(data), "base64"))
    }
    await session.call("Browser.close")
  } finally {
    child.kill()
    await ended
  }
}

const producer = (name: string, tagged: boolean): Producer => ({
  name,
  tagged,
  program: "chromium",
  renders: () => true,
  render: (jobs, scratch) => print(jobs, scratch, tagged)
})

export const chromium = producer("chromium", true)

export const chromiumUntagged = producer("chromium-untagged", false)
