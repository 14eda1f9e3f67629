/** Calls of the page to its server, see `messages.ts`. A refusal is a value. */
import type {
  Chunked,
  ChunkRequest,
  Found,
  HitView,
  LinesRequest,
  Parsed,
  ParseRequest,
  Progress,
  Received,
  Refusal,
  SearchRequest,
  Settings
} from "../../internal/look/messages.ts"

/** A call that was refused, failed on its way, or was given up. */
export type Trouble = Refusal["error"] & {
  /** Status of the answer; 0 when none came. */
  readonly status: number
}

export type Outcome<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly trouble: Trouble }

const base = "/_look/"

const failed = (status: number, tag: string, message: string, remedy: string | null): Outcome<never> => ({
  ok: false,
  trouble: { status, tag, message, remedy }
})

const unreachable = (): Outcome<never> =>
  failed(
    0,
    "ServerUnreachable",
    "The server did not answer.",
    "See whether `docsluice` still runs in its terminal, then try again."
  )

const stopped = (): Outcome<never> => failed(0, "Stopped", "The call was stopped.", "Start it again when you like.")

const refusalOf = (status: number, text: string): Outcome<never> => {
  try {
    const { error }: Partial<Refusal> = JSON.parse(text)
    if (typeof error?.message === "string") return failed(status, error.tag, error.message, error.remedy ?? null)
  } catch {
    // Not JSON: a proxy or another server answered.
  }
  return failed(status, `Status${status}`, `The server answered with status ${status}.`, null)
}

const answered = <A>(status: number, text: string): Outcome<A> => {
  if (status < 200 || status >= 300) return refusalOf(status, text)
  try {
    // Server and page are of one version, so an answer has the type that the call names.
    const value: A = JSON.parse(text)
    return { ok: true, value }
  } catch {
    return failed(status, "AnswerUnreadable", "The answer of the server is cut off.", "Try again.")
  }
}

/** A file on its way to the server. */
export interface Upload {
  /** Called with the part that is sent, 0 to 1. */
  readonly onShare: (share: number) => void
  readonly signal: AbortSignal
}

export class Calls {
  /** Sent with each call; kept in memory only. */
  key: string | null = null

  get headers(): Readonly<Record<string, string>> {
    return this.key === null ? {} : { authorization: `Bearer ${this.key}` }
  }

  settings(): Promise<Outcome<Settings>> {
    return this.#json("GET", "settings")
  }

  /** `fetch` reports no progress of what it sends. */
  upload(file: Blob & { readonly name: string }, { onShare, signal }: Upload): Promise<Outcome<Received>> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(stopped())
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      const done = (outcome: Outcome<Received>) => {
        signal.removeEventListener("abort", abort)
        resolve(outcome)
      }
      signal.addEventListener("abort", abort)
      request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onShare(loaded / total)
      })
      request.addEventListener("load", () => done(answered(request.status, request.responseText)))
      request.addEventListener("error", () => done(unreachable()))
      request.addEventListener("abort", () => done(stopped()))
      request.open("POST", `${base}documents?name=${encodeURIComponent(file.name)}`)
      for (const [name, value] of Object.entries(this.headers)) request.setRequestHeader(name, value)
      request.setRequestHeader("content-type", "application/octet-stream")
      request.send(file)
    })
  }

  sample(name: string, signal: AbortSignal): Promise<Outcome<Received>> {
    return this.#json("POST", `samples/${encodeURIComponent(name)}`, undefined, signal)
  }

  parse(id: string, request: ParseRequest, signal: AbortSignal): Promise<Outcome<Parsed>> {
    return this.#json("POST", `documents/${id}/parse`, request, signal)
  }

  progress(id: string, signal: AbortSignal): Promise<Outcome<Progress | null>> {
    return this.#json("GET", `documents/${id}/progress`, undefined, signal)
  }

  chunks(id: string, request: ChunkRequest, signal: AbortSignal): Promise<Outcome<Chunked>> {
    return this.#json("POST", `documents/${id}/chunks`, request, signal)
  }

  /** The chunks as JSON lines. */
  lines(id: string, request: LinesRequest, signal: AbortSignal): Promise<Outcome<Blob>> {
    return this.#blob(`documents/${id}/lines`, { signal, method: "POST", body: JSON.stringify(request) })
  }

  search(request: SearchRequest, signal: AbortSignal): Promise<Outcome<Found>> {
    return this.#json("POST", "search", request, signal)
  }

  /** Pages of a hit, after its document's file was read. */
  hit(id: string, signal: AbortSignal): Promise<Outcome<HitView>> {
    return this.#json("GET", `hits/${id}`, undefined, signal)
  }

  /** A picture of a page; `path` is `documents/ID` or `hits/ID`. */
  picture(path: string, page: number, width: number, signal: AbortSignal): Promise<Outcome<Blob>> {
    return this.#blob(`${path}/pages/${page}?width=${width}`, { signal })
  }

  /** The picture of a figure of a hit, by the position of its box. */
  figure(hit: string, box: number, width: number, signal: AbortSignal): Promise<Outcome<Blob>> {
    return this.#blob(`hits/${hit}/figures/${box}?width=${width}`, { signal })
  }

  async #blob(path: string, request: RequestInit & { readonly signal: AbortSignal }): Promise<Outcome<Blob>> {
    try {
      const sent = request.body === undefined ? {} : { "content-type": "application/json" }
      const response = await fetch(base + path, { ...request, headers: { ...this.headers, ...sent } })
      if (!response.ok) return refusalOf(response.status, await response.text())
      return { ok: true, value: await response.blob() }
    } catch {
      return request.signal.aborted ? stopped() : unreachable()
    }
  }

  async remove(id: string): Promise<void> {
    await this.#json("DELETE", `documents/${id}`)
  }

  async #json<A>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Outcome<A>> {
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { ...this.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal })
      })
      return answered(response.status, await response.text())
    } catch {
      return signal?.aborted === true ? stopped() : unreachable()
    }
  }
}
