/** A look at a document of a list: its name, size and version by `HEAD`, or by reading it where that does not tell. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import * as FileType from "../base/fileType.ts"
import type { FileTypes } from "../discovery/foundFiles.ts"
import { brokeOff } from "../objects/answers.ts"
import type { EntryProblem } from "../objects/objectStore.ts"
import { dismissed } from "../objects/requests.ts"
import { shown, type Web } from "./client.ts"
import type { HeldPages } from "./heldPages.ts"
import * as PageName from "./pageName.ts"
import type { Listed } from "./sitemap.ts"
import { fingerprint, type Version, versionOf, type WebEntry } from "./webEntry.ts"

export interface Looking {
  readonly web: Web
  readonly held: HeldPages
  /** True for the name of a document that the run would open. */
  readonly wants: (key: string) => boolean
  /** All types that can be read. */
  readonly types: FileTypes
  readonly maxBytes: number
}

const stalled = "60 seconds"

/** What is unreadable at an address. */
const entryOf = (url: string, key: string, problem: EntryProblem): WebEntry => ({
  key,
  size: 0,
  etag: "",
  url,
  version: { _tag: "Listed", value: "" },
  problem
})

/** Answers to `HEAD` after which `GET` may tell more: some servers know no `HEAD`. */
const unclear: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 501])

const sizeOf = (headers: HttpClientResponse.HttpClientResponse["headers"]): number | undefined => {
  const length = headers["content-length"]
  return length !== undefined && /^\d+$/u.test(length) ? Number(length) : undefined
}

/** True where the name says the type. */
export const isTyped = ({ types }: Pick<Looking, "types">, path: string): boolean =>
  types.takes(FileType.extensionOf(path))

/** The path with an extension: its own where it names a type, else that of the answer's type. */
const named = (looking: Looking, path: string, contentType: string | undefined): string => {
  if (isTyped(looking, path)) return path
  const extension = PageName.extensionOf(contentType ?? "")
  return extension === undefined ? path : `${path}.${extension}`
}

/** A document that is known to be unreadable. One whose type nobody told gets a name that is wanted, and may have another. */
export const unreadable = (looking: Looking, url: string, path: string, problem: EntryProblem): WebEntry => {
  if (isTyped(looking, path)) return entryOf(url, path, problem)
  const names = PageName.extensions.map((extension) => `${path}.${extension}`)
  const key = names.find(looking.wants) ?? `${path}.${PageName.likeliest}`
  return entryOf(url, key, { ...problem, uncertain: true })
}

/** A line of a list that is no address, as a document of that name. */
export const noAddress = (line: string, key: string): WebEntry =>
  entryOf(line, key, {
    reason: "Address",
    problem: "it is no address; write one on each line, with https:// or http://"
  })

const problemOf = (status: number, source: string): EntryProblem => {
  switch (status) {
    case 401:
    case 403:
      return { reason: "PermissionDenied" }
    case 404:
    case 410:
      return { reason: "NotFound" }
    default: {
      const problem = `it was answered with ${status}`
      return { reason: "Io", problem, cause: new SourceUnavailable({ source, status, reason: "Invalid", problem }) }
    }
  }
}

const ledTo = ({ request }: HttpClientResponse.HttpClientResponse, url: string): Pick<WebEntry, "ledTo"> =>
  request.url === url ? {} : { ledTo: shown(request.url) }

/** Reads the document, which is held until it is wanted. */
const whole = (looking: Looking, listed: Listed, path: string): Effect.Effect<WebEntry, SourceUnavailable> =>
  Effect.gen(function* () {
    const { url } = listed
    const source = shown(url)
    const answer = yield* looking.web.ask("GET", url)
    if (answer.status !== 200) {
      yield* dismissed(answer)
      return unreadable(looking, url, path, problemOf(answer.status, source))
    }
    const bytes = answer.stream.pipe(Stream.mapError(brokeOff(source)), Stream.timeoutFail(brokeOff(source), stalled))
    const held = yield* looking.held.hold(bytes, looking.maxBytes)
    const etag = answer.headers["etag"]
    const version: Version =
      etag === undefined || etag === "" ? { _tag: "Digest", value: held.digest } : { _tag: "Etag", value: etag }
    const key = named(looking, path, answer.headers["content-type"])
    return { key, size: held.size, etag: fingerprint(version, held.size), url, version, held, ...ledTo(answer, url) }
  })

/** Asks for the document; one that cannot be read is an entry with its problem. Fails where the server may answer later. */
export const look = (looking: Looking, listed: Listed, path: string): Effect.Effect<WebEntry, SourceUnavailable> =>
  Effect.gen(function* () {
    const { url } = listed
    const answer = yield* looking.web.ask("HEAD", url)
    yield* dismissed(answer)
    if (unclear.has(answer.status)) return yield* whole(looking, listed, path)
    if (answer.status !== 200) {
      return unreadable(looking, url, path, problemOf(answer.status, shown(url)))
    }
    const size = sizeOf(answer.headers)
    const version = versionOf(answer.headers, listed.modified)
    if (size === undefined || version === undefined) return yield* whole(looking, listed, path)
    const key = named(looking, path, answer.headers["content-type"])
    return { key, size, etag: fingerprint(version, size), url, version, ...ledTo(answer, url) }
  })

/** The entry of a document that could not be asked for. */
export const failed = (looking: Looking, { url }: Listed, path: string, cause: SourceUnavailable): WebEntry => {
  const { problem, reason } = cause
  return reason === "Invalid"
    ? unreadable(looking, url, path, { reason: "Address", problem })
    : unreadable(looking, url, path, { reason: "Io", problem, cause })
}
