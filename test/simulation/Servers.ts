/** The parsing service and the server of embeddings, as the real clients reach them over HTTP. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { sha256 } from "../../src/internal/base/sha256.ts"
import { canned } from "../faultserver/answers.ts"
import * as Documents from "./Documents.ts"
import { type Chance, chance } from "./Kernel.ts"
import type { Network } from "./Network.ts"
import type { Process } from "./Process.ts"

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly charge?: Charge
}

/** Refusals that pass, and answers that are broken. */
const faults = ["e429-rate", "e429-concurrency", "e500", "e502", "e503", "e504", "cut", "hang"] as const

/** A parse that was charged. */
export interface Charge {
  readonly key: string
  readonly process: Process
  readonly at: number
  /** Time at which the process had the answer; null as long as it has not. */
  delivered: number | null
}

export class Servers {
  readonly charges: Array<Charge> = []
  /** Called when a parse is asked for, before it is charged. */
  onParse: (process: Process, content: Documents.Content) => void = () => {}
  /** Called when a process has the answer of a parse. */
  onDelivered: (process: Process, key: string) => void = () => {}
  /** Share of answers that are faults, by server. */
  readonly faulty = { service: 0, embedder: 0 }
  private readonly network: Network
  private readonly draw: Chance

  constructor(network: Network) {
    this.network = network
    this.draw = chance(`${network.kernel.seed} servers`)
  }

  /** The client of a process. */
  http(process: Process): HttpClient.HttpClient {
    return HttpClient.make((request, url) => {
      const server = url.pathname.endsWith("/embeddings") ? "embedder" : "service"
      const lost = new HttpClientError.RequestError({ request, reason: "Transport", cause: new Error("ECONNRESET") })
      const body = bytesOfBody(request)
      const content = server === "service" ? Documents.contentIn(body) : undefined
      const what = content === undefined ? JSON.stringify(textsOf(body)).slice(0, 60) : Documents.keyOf(content)
      return Effect.map(
        this.network.ask<Answer, HttpClientError.HttpClientError>(process, { server, what, lost }, (answer) => {
          const fault = this.draw() < this.faulty[server] ? faults[Math.floor(this.draw() * faults.length)] : undefined
          if (fault !== undefined) this.network.onTrouble(process)
          if (fault === "hang") return
          const made = this.answer(process, server, { body, content }, fault)
          const millis = this.draw() < 0.05 ? 8000 * this.draw() : 20 + 200 * this.draw()
          this.network.kernel.after(millis, null, () => answer(Effect.succeed(made)))
        }),
        (answer) => {
          if (answer.charge !== undefined) {
            answer.charge.delivered = this.network.kernel.now
            this.onDelivered(process, answer.charge.key)
          }
          return responseOf(request, answer)
        }
      )
    })
  }

  private answer(
    process: Process,
    server: "service" | "embedder",
    { body, content }: { readonly body: Uint8Array; readonly content: Documents.Content | undefined },
    fault: string | undefined
  ): Answer {
    const row = fault === undefined ? undefined : canned[fault]
    if (row !== undefined) return { ...row, ...(row.status === 429 && { headers: { "retry-after": "2" } }) }
    const whole = server === "embedder" ? vectorsOf(textsOf(body)) : this.parsed(process, content)
    return fault === "cut" ? { status: 200, body: whole.body.slice(0, -20) } : whole
  }

  private parsed(process: Process, content: Documents.Content | undefined): Answer {
    if (content === undefined) return canned["e400"] ?? { status: 400, body: "" }
    if (content.bad) return canned["e422"] ?? { status: 422, body: "" }
    this.onParse(process, content)
    const charge: Charge = { key: Documents.keyOf(content), process, at: this.network.kernel.now, delivered: null }
    this.charges.push(charge)
    const markdown = Documents.markdownOf(content)
    const metadata = { title: content.name, sourceURL: "file.pdf", statusCode: 200, numPages: 1, totalPages: 1 }
    return { status: 200, body: JSON.stringify({ success: true, data: { markdown, metadata } }), charge }
  }
}

const bytesOfBody = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array =>
  body._tag === "Uint8Array" ? body.body : new Uint8Array()

const textsOf = (body: Uint8Array): ReadonlyArray<string> => {
  const asked: unknown = body.length === 0 || body[0] !== 0x7b ? {} : JSON.parse(Buffer.from(body).toString())
  const input: unknown = typeof asked === "object" && asked !== null ? Reflect.get(asked, "input") : []
  return Array.isArray(input) ? input.map(String) : []
}

/** Four components, by the hash of the text; not normalized. */
export const vectorOf = (text: string): ReadonlyArray<number> => {
  const hash = sha256(text)
  return [0, 2, 4, 6].map((at) => Number.parseInt(hash.slice(at, at + 2), 16) / 255 + 0.01)
}

const vectorsOf = (texts: ReadonlyArray<string>): Answer => ({
  status: 200,
  body: JSON.stringify({
    data: texts.map((text, index) => ({
      index,
      embedding: vectorOf(text)
    }))
  })
})

const responseOf = (
  request: HttpClientRequest.HttpClientRequest,
  { body, headers = {}, status }: Answer
): HttpClientResponse.HttpClientResponse => {
  const head = { "content-type": "application/json", ...headers }
  const response = HttpClientResponse.fromWeb(request, new Response(null, { status, headers: head }))
  // Without the streams of the web, which settle in promises.
  return Object.defineProperty(response, "stream", { value: Stream.make(new TextEncoder().encode(body)) })
}
