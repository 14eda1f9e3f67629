/** Doubles of stores over the model of `SourceConformance`: its answers in the words of S3, Azure's storage, a web server and WebDAV. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { TLSSocket } from "node:tls"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect, type Scope } from "effect"

type Store = SourceConformance.Store
type StoredObject = SourceConformance.StoredObject

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Share of the body after which the connection breaks; 1 for all of it. */
  readonly share: number
}

export interface Asked {
  readonly method: string
  /** The text that was sent; empty for none. */
  readonly body: string
  readonly url: URL
  readonly header: (name: string) => string | undefined
}

/** The answer to a request as HTTP. */
export type Double = (store: Store, asked: Asked) => Reply

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export const replyOf = <A>(
  answer: SourceConformance.Answer<A>,
  given: (value: A) => Omit<Reply, "share" | "status"> & { readonly status?: number }
): Reply => {
  switch (answer._tag) {
    case "Blank":
      return { status: 200, body: utf8(""), share: 1 }
    case "Refused": {
      const headers = answer.retryAfter === undefined ? {} : { "retry-after": String(answer.retryAfter) }
      const body = utf8(`<Error><Code>Status${answer.status}</Code><Message>as told</Message></Error>`)
      return { status: answer.status, headers, body, share: 1 }
    }
    default:
      return { status: 200, ...given(answer.value), share: answer.share }
  }
}

const etagOf = ({ version }: StoredObject): string => `"v${version}"`

const objectOf = (store: Store, path: string, { header }: Asked): Reply => {
  const start = Number(/^bytes=(\d+)-$/u.exec(header("range") ?? "")?.[1] ?? 0)
  const wanted = /^"v(\d+)"$/u.exec(header("if-match") ?? "")?.[1]
  const version = wanted === undefined ? undefined : Number(wanted)
  return replyOf(store.read(path, { start, version }), (object) => ({
    status: start > 0 ? 206 : 200,
    headers: store.versioned ? { etag: etagOf(object) } : {},
    body: object.bytes
  }))
}

/** The path of an object below a prefix of the address. */
const below = ({ pathname }: URL, prefix: string): string => decodeURIComponent(pathname.slice(prefix.length))

export const s3: Double = (store, asked) => {
  const { searchParams } = asked.url
  if (!searchParams.has("list-type")) return objectOf(store, below(asked.url, "/bucket/"), asked)
  return replyOf(store.list(searchParams.get("continuation-token")), ({ next, objects }) => {
    const contents = objects.map((object) => {
      const etag = store.versioned ? `<ETag>${etagOf(object).replaceAll('"', "&quot;")}</ETag>` : ""
      return `<Contents><Key>${encodeURIComponent(object.path)}</Key><Size>${object.bytes.length}</Size>${etag}</Contents>`
    })
    const end = next === null ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`
    return {
      body: utf8(
        `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${next !== null}</IsTruncated>${contents.join("")}${end}</ListBucketResult>`
      )
    }
  })
}

export const azure: Double = (store, asked) => {
  const { searchParams } = asked.url
  if (searchParams.get("comp") !== "list") return objectOf(store, below(asked.url, "/account/container/"), asked)
  return replyOf(store.list(searchParams.get("marker")), ({ next, objects }) => {
    const blobs = objects.map((object) => {
      const etag = store.versioned ? `<Etag>${etagOf(object)}</Etag>` : ""
      return `<Blob><Name Encoded="true">${encodeURIComponent(object.path)}</Name><Properties><Content-Length>${object.bytes.length}</Content-Length>${etag}</Properties></Blob>`
    })
    return {
      body: utf8(
        `<EnumerationResults><Blobs>${blobs.join("")}</Blobs><NextMarker>${next ?? ""}</NextMarker></EnumerationResults>`
      )
    }
  })
}

/** The members of a folder; undefined where there is none. A member with something below it is a folder. */
const membersOf = (objects: ReadonlyArray<StoredObject>, folder: string): ReadonlyMap<string, StoredObject | null> => {
  const members = new Map<string, StoredObject | null>()
  for (const object of objects) {
    if (!object.path.startsWith(folder)) continue
    const [name = "", ...rest] = object.path.slice(folder.length).split("/")
    members.set(name, rest.length === 0 ? object : null)
  }
  return members
}

const davRoot = "/dav/files/"

const resource = (href: string, properties: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`

const collection = (path: string): string =>
  resource(`${davRoot}${addressOf(path)}`, "<d:resourcetype><d:collection/></d:resourcetype>")

/** A folder of WebDAV: the question for the topmost folder counts as the listing, since each run asks it once. */
export const webdav: Double = (store, asked) => {
  const path = below(asked.url, davRoot)
  if (asked.method !== "PROPFIND") {
    const reply = objectOf(store, path, asked)
    const range = { "content-range": `${asked.header("range")?.replace("=", " ")}${reply.body.length}/*` }
    return reply.status === 206 ? { ...reply, headers: { ...reply.headers, ...range } } : reply
  }
  const members = membersOf(store.objects, path)
  const listing = () => {
    const resources = Array.from(members, ([name, object]) => {
      if (object === null) return collection(`${path}${name}/`)
      const etag = store.versioned ? `<d:getetag>${etagOf(object)}</d:getetag>` : ""
      const length = `<d:getcontentlength>${object.bytes.length}</d:getcontentlength>`
      return resource(`${davRoot}${addressOf(object.path)}`, `<d:resourcetype/>${length}${etag}`)
    })
    return {
      status: 207,
      body: utf8(`<d:multistatus xmlns:d="DAV:">${collection(path)}${resources.join("")}</d:multistatus>`)
    }
  }
  if (path === "") return replyOf(store.list(null), listing)
  return members.size === 0 ? { status: 404, body: utf8(""), share: 1 } : { ...listing(), share: 1 }
}

/** Evidence of a version that a web server tells. */
export type Tells = "etag" | "date" | "nothing"

const addressOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

export const web =
  (tells: Tells): Double =>
  (store, asked) => {
    const headersOf = (object: StoredObject): Record<string, string> => ({
      "content-type": "text/markdown",
      ...(tells === "etag" && { etag: etagOf(object) }),
      ...(tells === "date" && { "last-modified": new Date(object.modified).toUTCString() })
    })
    if (asked.url.pathname === "/sitemap.xml") {
      return replyOf(store.list(null), ({ objects }) => {
        const urls = objects.map(({ path }) => `<url><loc>${asked.url.origin}/${addressOf(path)}</loc></url>`)
        return {
          body: utf8(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`)
        }
      })
    }
    const path = below(asked.url, "/")
    if (asked.method === "HEAD") {
      return replyOf(store.look(path), (object) => ({ headers: headersOf(object), body: object.bytes }))
    }
    const start = Number(/^bytes=(\d+)-$/u.exec(asked.header("range") ?? "")?.[1] ?? 0)
    const present = store.get(path)
    const same = present !== undefined && Object.values(headersOf(present)).includes(asked.header("if-range") ?? "")
    const ranged = start > 0 && same
    return replyOf(store.read(path, ranged ? { start } : {}), (object) => ({
      status: ranged ? 206 : 200,
      headers: {
        ...headersOf(object),
        ...(ranged && { "content-range": `bytes ${start}-/${start + object.bytes.length}` })
      },
      body: object.bytes
    }))
  }

const part = 65_536

const sentOf = ({ body, share }: Reply): Uint8Array =>
  share < 1 ? body.subarray(0, Math.floor(body.length * share)) : body

/** A client whose requests the double answers, without a network. */
export const client = (store: Store, double: Double): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.sync(() => {
      const { body: given, method } = request
      const text = given._tag === "Uint8Array" ? new TextDecoder().decode(given.body) : ""
      const reply = double(store, { method, url, body: text, header: (name) => request.headers[name] })
      const sent = sentOf(reply)
      let at = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (at < sent.length) controller.enqueue(sent.slice(at, (at += part)))
          else if (reply.share < 1) controller.error(new Error("the connection broke"))
          else controller.close()
        }
      })
      return HttpClientResponse.fromWeb(
        request,
        new Response(body, { status: reply.status, headers: { ...reply.headers } })
      )
    })
  )

const answerWith = (answer: ServerResponse, method: string, reply: Reply): void => {
  answer.writeHead(reply.status, { ...reply.headers, "content-length": String(reply.body.length) })
  if (method === "HEAD") answer.end()
  else if (reply.share === 1) answer.end(reply.body)
  else if (reply.share === 0) answer.destroy()
  else answer.write(sentOf(reply), () => setTimeout(() => answer.destroy(), 5))
}

/** Answers requests as the double says. */
export const listener =
  (store: Store, double: Double) =>
  (request: IncomingMessage, answer: ServerResponse): void => {
    const { headers, method = "GET", url = "/" } = request
    const header = (name: string): string | undefined => headers[name]?.toString()
    const scheme = request.socket instanceof TLSSocket ? "https" : "http"
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const body = Buffer.concat(parts).toString()
      const asked = { method, url: new URL(url, `${scheme}://${headers.host}`), body, header }
      answerWith(answer, method, double(store, asked))
    })
  }

/** Origin of a server on the loopback address for which the double answers; stopped with the scope. */
export const served = (store: Store, double: Double): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener(store, double))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return { server, origin: `http://127.0.0.1:${port}` }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise((resolve) => {
            server.close(resolve)
            server.closeAllConnections()
          })
      )
  ).pipe(Effect.map(({ origin }) => origin))
