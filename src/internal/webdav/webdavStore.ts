/** A folder of a WebDAV server as a store: one question for each folder, and conditional reads. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import { brokeOff } from "../objects/answers.ts"
import { type Content, type Folder, walked } from "../objects/folders.ts"
import type { EntryProblem, ObjectStore } from "../objects/objectStore.ts"
import { dismissed, send } from "../objects/requests.ts"
import { decoded } from "../objects/xml.ts"
import type { Web } from "../web/client.ts"
import { read } from "../web/read.ts"
import { fingerprint, type Version, type WebEntry } from "../web/webEntry.ts"
import { Multistatus, question, type Resource } from "./multistatus.ts"
import type { Place } from "./place.ts"

interface DavFolder extends Folder {
  readonly url: string
}

/** Longest wait for the next bytes of an answer. */
const stalled = "60 seconds"

/** Answers that break off, after each of which the folder is asked for again. */
const mostBreaks = 2

/** Milliseconds that a change is past before its date tells it from the next one: dates are whole seconds, some servers' even ones. */
const calm = 5000

// The type of methods lists those of web servers only; the client sends any.
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
const propfind = "PROPFIND" as HttpMethod

const identity = { "accept-encoding": "identity", "user-agent": "docsluice" } as const

/** A member of a folder: the segment of its address as the server spells it, and its name, which never has a slash. */
interface Member {
  readonly segment: string
  readonly name: string
}

const memberOf = (segment: string): Member => {
  const name = decoded(segment)
  // What is no UTF-8, and a slash in a name, stay in the encoding of addresses.
  return name === null || name.includes("/") ? { segment, name: segment } : { segment: encodeURIComponent(name), name }
}

/** The members that lead to a resource, without the host; `url`: of the folder whose listing names it. */
const pathOf = (href: string, url: string): ReadonlyArray<Member> => {
  const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/iu, "")
  const isWhole = path.startsWith("/") || path !== href
  return `${isWhole ? "" : new URL(url).pathname}${path}`
    .split("/")
    .flatMap((one) => (one === "" ? [] : [memberOf(one)]))
}

const spelled = (path: ReadonlyArray<Member>): string => `${path.map(({ name }) => `/${name}`).join("")}/`

/** The version that a listing tells at a time: a weak ETag may outlive the bytes, and a date does while it is fresh. */
const versionOf = ({ etag, modified }: Resource, now: number): Version | undefined => {
  if (/^"[^"]+"$/u.test(etag)) return { _tag: "Etag", value: etag }
  const time = Date.parse(modified)
  return time + calm <= now ? { _tag: "Modified", value: new Date(time).toUTCString() } : undefined
}

const entryOf = (key: string, url: string, resource: Resource, now: number): WebEntry => {
  const entry = { key, url, size: Number(resource.length), etag: "", version: { _tag: "Listed", value: "" } } as const
  const unreadable = (problem: EntryProblem): WebEntry => ({ ...entry, size: 0, problem })
  if (resource.status === 401 || resource.status === 403) return unreadable({ reason: "PermissionDenied" })
  if (resource.status !== 200) {
    return unreadable({ reason: "Io", problem: `its server answers with ${resource.status} when it lists it` })
  }
  if (!/^\d+$/u.test(resource.length)) return unreadable({ reason: "Invalid", problem: "its server tells no length" })
  const version = versionOf(resource, now)
  return version === undefined ? entry : { ...entry, version, etag: fingerprint(version, entry.size) }
}

/** Words for an answer that is no listing. */
const refusal = (status: number, location: string | undefined, isRoot: boolean): Message.Message => {
  if (status === 401) {
    return "its server wants credentials, or others; give WEBDAV_USER and WEBDAV_PASSWORD, or WEBDAV_TOKEN"
  }
  if (status === 403) {
    return isRoot
      ? "it may not be listed; let this user read it, or give other credentials (WEBDAV_USER and WEBDAV_PASSWORD, or WEBDAV_TOKEN)"
      : text`it may not be listed; let this user read it, or leave it out with ${option("ignore")}`
  }
  if (status === 404 || status === 410) return "there is no such folder; check the address"
  if (location !== undefined) {
    return `it leads on to ${location}; give that address if it is the folder, or credentials if it is a sign-in`
  }
  return `it was answered with ${status}; check that the address is that of a folder on a WebDAV server`
}

const reasonOf = (status: number): SourceUnavailable["reason"] =>
  status === 401 || status === 403 ? "Denied" : status === 404 || status === 410 ? "Missing" : "Invalid"

/** Where an answer leads on to, without its query. */
const locationOf = ({ headers, status }: HttpClientResponse.HttpClientResponse, url: string): string | undefined => {
  const { location = "" } = headers
  if (status < 300 || status > 399 || !URL.canParse(location, url)) return undefined
  const { host, pathname, protocol } = new URL(location, url)
  return `${protocol}//${host}${pathname}`
}

/** Opens the folder; sends nothing yet. Credentials go to its own origin: redirects are not followed. */
export const make = (place: Place): Effect.Effect<ObjectStore<WebEntry>, never, HttpClient.HttpClient> =>
  Effect.map(Effect.context<HttpClient.HttpClient>(), (context): ObjectStore<WebEntry> => {
    const address = `webdav:${place.url}`
    const { origin } = new URL(place.url)
    const authorization =
      place.authorization === undefined ? {} : { authorization: Redacted.value(place.authorization) }

    const asked = (url: string, request: HttpClientRequest.HttpClientRequest) =>
      send(
        { source: `webdav:${url}`, origin },
        Effect.succeed(HttpClientRequest.setHeaders(request, { ...identity, ...authorization }))
      ).pipe(Effect.provide(context))

    /** The root's own path as its server spells it, which a proxy may serve below another one. */
    let above: string | undefined

    const invalid = (url: string, problem: string) =>
      new SourceUnavailable({ source: `webdav:${url}`, reason: "Invalid", problem })

    /** Null for an answer that broke off. */
    const resources = (
      url: string,
      answer: HttpClientResponse.HttpClientResponse
    ): Effect.Effect<ReadonlyArray<Resource> | null, SourceUnavailable> =>
      Effect.suspend(() => {
        const parsed = new Multistatus()
        const gathered: Array<Resource> = []
        const all = answer.stream.pipe(
          Stream.timeoutFail(brokeOff(url), stalled),
          Stream.decodeText(),
          Stream.runForEach((part) =>
            Effect.sync(() => {
              for (const resource of parsed.write(part)) gathered.push(resource)
            })
          )
        )
        return Effect.matchEffect(all, {
          onFailure: () => Effect.succeed(null),
          onSuccess: () =>
            parsed.close()
              ? Effect.succeed(gathered)
              : Effect.fail(
                  invalid(url, "its listing cannot be read; check that this is a WebDAV server, or run again")
                )
        })
      })

    /** What a listing names in the folder; fails for what is not directly in it, so that nothing is taken for another. */
    const contentOf = (
      folder: DavFolder,
      listed: ReadonlyArray<Resource>,
      now: number
    ): Effect.Effect<Content<WebEntry, DavFolder>, SourceUnavailable> => {
      const all = listed.map((resource) => ({ resource, path: pathOf(resource.href, folder.url) }))
      const depth = all.reduce((least, { path }) => Math.min(least, path.length), Infinity)
      const self = all.find(({ path }) => path.length === depth)
      if (self === undefined) return Effect.fail(invalid(folder.url, "its listing names not even the folder itself"))
      if (!self.resource.isFolder) {
        return Effect.fail(
          invalid(folder.url, "it is no folder; give the folder of the file, and its name as a pattern")
        )
      }
      const own = spelled(self.path)
      const before = own.endsWith(`/${folder.key}`) ? own.slice(0, own.length - folder.key.length) : undefined
      above ??= before
      const entries: Array<WebEntry> = []
      const folders: Array<DavFolder> = []
      for (const { path, resource } of all) {
        const member = path[depth]
        const around = member === undefined ? path : path.slice(0, -1)
        const isOutside = spelled(around) !== own || path.length > depth + 1 || /^\.\.?$/u.test(member?.name ?? "")
        if (before === undefined || before !== above || isOutside) {
          const problem = `its listing names ${spelled(path)}, which is not in it; check the address, and what a proxy makes of it`
          return Effect.fail(invalid(folder.url, problem))
        }
        if (member === undefined || resource.status === 404 || resource.status === 410) continue
        const key = `${folder.key}${member.name}`
        const url = `${folder.url}${member.segment}`
        // A folder that may not be looked at is known by its slash.
        if (resource.isFolder || (resource.status !== 200 && resource.href.endsWith("/"))) {
          folders.push({ key: `${key}/`, url: `${url}/` })
        } else entries.push(entryOf(key, url, resource, now))
      }
      return Effect.succeed({ entries, folders })
    }

    const listedOnce = ({ key, url }: DavFolder) =>
      Effect.gen(function* () {
        const request = HttpClientRequest.make(propfind)(url, { headers: { depth: "1" } })
        const answer = yield* asked(url, HttpClientRequest.bodyText(request, question, "application/xml"))
        const { headers, status } = answer
        if (status === 207) {
          const now = Date.parse(headers["date"] ?? "")
          return { listed: yield* resources(url, answer), now }
        }
        yield* dismissed(answer)
        if (key !== "" && (status === 404 || status === 410)) return "gone"
        const problem = Message.problem(refusal(status, locationOf(answer, url), key === ""))
        return yield* new SourceUnavailable({ source: `webdav:${url}`, status, reason: reasonOf(status), ...problem })
      })

    const list = (folder: DavFolder): Effect.Effect<Content<WebEntry, DavFolder> | null, SourceUnavailable> =>
      Effect.gen(function* () {
        const answer = yield* Effect.repeat(listedOnce(folder), {
          times: mostBreaks,
          while: (one) => one !== "gone" && one.listed === null
        })
        if (answer === "gone") return null
        if (answer.listed === null) return yield* brokeOff(`webdav:${folder.url}`)()
        return yield* contentOf(folder, answer.listed, answer.now)
      })

    const folderOf = (key: string): DavFolder => ({
      key,
      url: `${place.url}${key.split("/").map(encodeURIComponent).join("/")}`
    })

    const ask =
      ({ version }: WebEntry): Web["ask"] =>
      (method, url, headers = {}) => {
        const condition = version._tag === "Etag" ? { "if-match": version.value } : {}
        return asked(url, HttpClientRequest.make(method)(url, { headers: { ...headers, ...condition } }))
      }

    return {
      address,
      list: (prefixes, _, enters) => walked({ source: address, folderOf, list }, prefixes, enters),
      bytes: { _tag: "Answers", read: (entry, start) => read({ ask: ask(entry) }, entry, start) }
    }
  })
