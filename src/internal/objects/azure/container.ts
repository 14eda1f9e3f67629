/** A container of Azure's storage: requests for its listing and its blobs. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { XmlElement } from "@rgrove/parse-xml"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../../Source.ts"
import { type ListingPage, listed, pageOf, readOf } from "../answers.ts"
import type { ObjectEntry, ObjectStore } from "../objectStore.ts"
import { beginning, send } from "../requests.ts"
import { decoded, elements, etagOf, rootOf, textOf } from "../xml.ts"
import type { Account } from "./access.ts"
import * as SharedKey from "./sharedKey.ts"

/** Version of the interface, of which every account and its emulator knows it. */
const version = "2021-12-02"

const entryOf = (blob: XmlElement): ObjectEntry | "folder" | null => {
  const [name] = elements(blob, "Name")
  const [properties] = elements(blob, "Properties")
  if (name === undefined || properties === undefined) return null
  if (textOf(properties, "ResourceType") === "directory") return "folder"
  const key = name.attributes["Encoded"] === "true" ? decoded(name.text) : name.text
  const size = Number(textOf(properties, "Content-Length"))
  if (key === null || !Number.isSafeInteger(size) || size < 0) return null
  return { key, size, etag: etagOf(properties, "Etag") }
}

/** Null for a text that is no page, so that no blob can be missing from it unnoticed. */
const readPage = (text: string): ListingPage | null => {
  const root = rootOf(text)
  const [blobs] = root?.name === "EnumerationResults" ? elements(root, "Blobs") : []
  if (root === null || blobs === undefined) return null
  const entries = elements(blobs, "Blob").map(entryOf)
  if (entries.includes(null)) return null
  return {
    entries: entries.filter((entry) => entry !== null && entry !== "folder"),
    next: textOf(root, "NextMarker") || null
  }
}

const codeOf = (text: string): string => {
  const root = rootOf(text)
  const code = root === null ? undefined : textOf(root, "Code")
  return code === undefined ? "" : ` (${code})`
}

const refused = (source: string, status: number, text: string): SourceUnavailable => {
  const code = codeOf(text)
  const missing = status === 404 && !code.includes("ResourceNotFound")
  // An account tells strangers nothing of a container that is there.
  const reason = missing ? "Missing" : [401, 403, 404, 409].includes(status) ? "Denied" : "Invalid"
  const problem = {
    Missing: "there is no such container; check its name and the account",
    Denied: "may not be listed; check AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN and their right to list",
    Invalid: `the listing was answered with ${status}; check that this is Azure's storage`
  }[reason]
  return new SourceUnavailable({ source, status, reason, problem: `${problem}${code}` })
}

/** Opens the container; sends nothing yet. */
export const make = (
  { access, endpoint, name }: Account,
  container: string
): Effect.Effect<ObjectStore, never, HttpClient.HttpClient> =>
  Effect.map(Effect.context<HttpClient.HttpClient>(), (context): ObjectStore => {
    const { host, origin } = new URL(endpoint)
    const source = `az://${host}/${name}/${container}`

    const request = (path: string, query: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const url = new URL(`${endpoint}/${container}${path}`)
        for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
        const headers = { ...own, "x-ms-date": new Date(now).toUTCString(), "x-ms-version": version }
        switch (access._tag) {
          case "None":
            return HttpClientRequest.get(url, { headers })
          case "Signature":
            return HttpClientRequest.get(
              new URL(`${url.href}${url.search === "" ? "?" : "&"}${Redacted.value(access.query)}`),
              { headers }
            )
          default: {
            const authorization = SharedKey.authorization(name, Redacted.value(access.key), url, headers)
            return HttpClientRequest.get(url, { headers: { ...headers, authorization } })
          }
        }
      })

    const get = (
      path: string,
      query: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>> = {}
    ) => Effect.provide(send({ source, origin }, request(path, query, headers)), context)

    const page = (prefix: string) =>
      Effect.fnUntraced(function* (marker: string | null) {
        const answer = yield* get("", {
          restype: "container",
          comp: "list",
          ...(prefix !== "" && { prefix }),
          ...(marker !== null && { marker })
        })
        if (answer.status !== 200) {
          const text = yield* beginning(answer)
          return yield* refused(source, answer.status, text)
        }
        const text = yield* Effect.orElseSucceed(answer.text, () => null)
        if (text === null) return null
        return yield* pageOf(source, readPage(text))
      })

    return {
      address: source,
      list: (prefixes) => Stream.flatMap(Stream.fromIterable(prefixes), (prefix) => listed(source, page(prefix))),
      bytes: {
        _tag: "Answers",
        read: (entry, start) => {
          const path = entry.key.split("/").map(encodeURIComponent).join("/")
          const headers = {
            ...(entry.etag !== "" && { "if-match": entry.etag }),
            ...(start > 0 && { range: `bytes=${start}-` })
          }
          return Effect.flatMap(get(`/${path}`, {}, headers), (answer) => readOf(source, entry, start, answer, codeOf))
        }
      }
    }
  })
