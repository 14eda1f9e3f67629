/** Google Drive's third version as its reference describes it: files, changes, exports, and the device flow. */
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Accounts, checksum, Drive, json, type Row } from "./driveModel.ts"
import { type Asked, type Double, type Reply, replyOf, utf8 } from "./storeDoubles.ts"

const google = "application/vnd.google-apps"

export interface Google {
  readonly drive: Drive
  readonly accounts: Accounts
  readonly answer: Double
  /** Paths of documents that have no bytes of their own. */
  readonly documents: Set<string>
  /** Files in place of, or next to, those of the drive. */
  readonly more: Array<Readonly<Record<string, unknown>>>
  /** Id of the shared drive that the drive is; null for My Drive. */
  shared: string | null
  /** True for exports that are longer each time. */
  growing: boolean
  /** Answers before a request is looked at. */
  before: (asked: Asked) => Reply | undefined
}

const refusal = (status: number, reason: string, message: string): Reply =>
  json(status, { error: { code: status, message, errors: [{ domain: "global", reason, message }] } })

export const rateLimit = (): Reply => refusal(403, "userRateLimitExceeded", "User Rate Limit Exceeded")

/** Bytes of an export at most. */
const mostExported = 10 * 1024 * 1024

export const make = (store: SourceConformance.Store): Google => {
  const drive = new Drive(store)
  const accounts = new Accounts("verification_url")
  const made: Google = {
    drive,
    accounts,
    documents: new Set(),
    more: [],
    shared: null,
    growing: false,
    before: () => undefined,
    answer: (_, asked) => made.before(asked) ?? answer(asked)
  }

  const fileOf = ({ found, id }: Row): unknown => {
    if (found === null) return null
    const { object, parent } = found
    const place = { parents: parent === "" ? undefined : [parent], driveId: made.shared ?? undefined, trashed: false }
    if (object === null) return { id, name: found.name || "My Drive", mimeType: `${google}.folder`, ...place }
    const modifiedTime = new Date(object.modified).toISOString()
    if (made.documents.has(object.path)) {
      const name = found.name.replace(/\.docx$/u, "")
      return { id, name, mimeType: `${google}.document`, modifiedTime, ...place }
    }
    const size = String(object.bytes.length)
    return {
      id,
      name: found.name,
      mimeType: "text/markdown",
      size,
      md5Checksum: checksum(object),
      modifiedTime,
      ...place
    }
  }

  const list = ({ searchParams }: URL): Reply => {
    const token = searchParams.get("pageToken")
    return replyOf(drive.list(token), ({ next, rows }) => {
      const files = [...rows.map(fileOf), ...(token === null ? made.more : [])]
      return { body: utf8(JSON.stringify({ files, ...(next !== null && { nextPageToken: next }) })) }
    })
  }

  const changed = ({ searchParams }: URL): Reply =>
    replyOf(drive.changes(Number(searchParams.get("pageToken"))), ({ next, rows, until }) => {
      const changes = rows.map((row) => ({
        changeType: "file",
        fileId: row.id,
        removed: row.found === null,
        ...(row.found !== null && { file: fileOf(row) })
      }))
      const end = next === null ? { newStartPageToken: String(until) } : { nextPageToken: next }
      return { body: utf8(JSON.stringify({ changes, ...end })) }
    })

  const exported = (id: string): Reply => {
    drive.exports.push(drive.pathOf(id) ?? "")
    return replyOf(drive.read(id, 0), ({ bytes }) =>
      bytes.length > mostExported
        ? refusal(403, "exportSizeLimitExceeded", "This file is too large to be exported.")
        : { body: made.growing ? utf8(`${Buffer.from(bytes).toString()}${" ".repeat(drive.exports.length)}`) : bytes }
    )
  }

  const ofFile = (rest: string, { header, url }: Asked): Reply => {
    const [given = "", action] = rest.split("/")
    const id = given === "root" ? "top" : given
    if (action === "export") return exported(id)
    if (url.searchParams.get("alt") !== "media") {
      return drive.pathOf(id) === undefined
        ? refusal(404, "notFound", `File not found: ${id}.`)
        : replyOf(drive.look(id), (row) => ({ body: utf8(JSON.stringify(fileOf(row))) }))
    }
    const start = Number(/^bytes=(\d+)-$/u.exec(header("range") ?? "")?.[1] ?? 0)
    return replyOf(drive.read(id, start), ({ bytes }) => ({ status: start > 0 ? 206 : 200, body: bytes }))
  }

  const answer = (asked: Asked): Reply => {
    const { host, pathname } = asked.url
    if (host === "oauth2.googleapis.com") return accounts.answer(asked)
    if (!accounts.isLetIn(asked)) return refusal(401, "authError", "Invalid Credentials")
    const path = pathname.slice("/drive/v3/".length)
    if (path === "files") return list(asked.url)
    if (path === "changes/startPageToken") return json(200, { startPageToken: String(drive.now) })
    return path === "changes" ? changed(asked.url) : ofFile(path.slice("files/".length), asked)
  }

  return made
}
