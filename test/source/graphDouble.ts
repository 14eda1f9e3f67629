/** Microsoft Graph as its reference describes it: drives of a user and of a site, delta, content, and the device flow. */
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Accounts, checksum, Drive, json, type Row, type Rows } from "./driveModel.ts"
import { type Asked, type Double, type Reply, replyOf, utf8 } from "./storeDoubles.ts"

const api = "https://graph.microsoft.com/v1.0"

const driveId = "b!drive"

const site = "/sites/contoso.sharepoint.com:/sites/Finance"

/** An item as a request for it answers; a list of changes of OneDrive for Business leaves `cTag` out. */
const itemOf = ({ found, id }: Row, isPersonal: boolean, isDelta = false): unknown => {
  if (found === null) return { id, deleted: { state: "deleted" } }
  const { name, object, parent } = found
  const parentReference = parent === "" ? { driveId } : { driveId, id: parent }
  if (object === null) return { id, name, folder: { childCount: 1 }, parentReference }
  const { bytes, version } = object
  const hash = checksum(object)
  return {
    id,
    name,
    size: bytes.length,
    ...((isPersonal || !isDelta) && { cTag: `"c:{${id}},${hash}"` }),
    eTag: `"${id},${version}"`,
    file: isPersonal ? {} : { hashes: { quickXorHash: hash } },
    parentReference
  }
}

const notFound = (): Reply =>
  json(404, { error: { code: "itemNotFound", message: "The resource could not be found." } })

export interface Graph {
  readonly drive: Drive
  readonly accounts: Accounts
  readonly answer: Double
  /** Authorizations that hosts of bytes got. */
  readonly leaked: Array<string>
  /** True for a drive of OneDrive for users at home. */
  isPersonal: boolean
}

export const make = (store: SourceConformance.Store): Graph => {
  const drive = new Drive(store)
  const accounts = new Accounts("verification_uri")
  const leaked: Array<string> = []

  const page = (given: SourceConformance.Answer<Rows>, links: (rows: Rows) => Readonly<Record<string, string>>) =>
    given._tag === "Refused" && given.status === 410
      ? json(410, { error: { code: "resyncChangesApplyDifferences", message: "Resync required." } })
      : replyOf(given, (rows) => ({
          body: utf8(
            JSON.stringify({ value: rows.rows.map((row) => itemOf(row, made.isPersonal, true)), ...links(rows) })
          )
        }))

  const delta = (url: URL): Reply => {
    const link = (token: string): string => `${api}/drives/${driveId}/root/delta?token=${encodeURIComponent(token)}`
    const token = url.searchParams.get("token") ?? "list:"
    const [, kind, at = ""] = /^(list|since):(.*)$/su.exec(token) ?? []
    // A listing tells what changed since it began.
    const { now } = drive
    return kind === "list"
      ? page(drive.list(at === "" ? null : at), ({ next }): Record<string, string> =>
          next === null ? { "@odata.deltaLink": link(`since:${now}`) } : { "@odata.nextLink": link(`list:${next}`) }
        )
      : page(drive.changes(Number(at)), ({ next }): Record<string, string> =>
          next === null ? { "@odata.deltaLink": link(`since:${now}`) } : { "@odata.nextLink": link(`since:${next}`) }
        )
  }

  /** `root` and `root:/PATH` of a drive. */
  const top = (path: string): Reply => {
    const below = decodeURIComponent(path.replace(/^root(?::\/)?/u, ""))
    const id = drive.ids.get(below)
    if (id === undefined) return notFound()
    const object = store.get(below) ?? null
    return json(200, itemOf({ id, found: { name: below, parent: "", object } }, made.isPersonal))
  }

  const ofDrive = (rest: string, url: URL): Reply => {
    if (rest === "root/delta") return delta(url)
    const [, id = "", content] = /^items\/([^/]+)(\/content)?$/u.exec(rest) ?? []
    if (content === undefined)
      return replyOf(drive.look(id), (row) => ({ body: utf8(JSON.stringify(itemOf(row, made.isPersonal))) }))
    return { status: 302, headers: { location: `https://files.test/${id}?tempauth=x` }, body: utf8(""), share: 1 }
  }

  const bytes = ({ header, url }: Asked): Reply => {
    const authorization = header("authorization")
    if (authorization !== undefined) leaked.push(authorization)
    const start = Number(/^bytes=(\d+)-$/u.exec(header("range") ?? "")?.[1] ?? 0)
    return replyOf(drive.read(url.pathname.slice(1), start), (object) => ({
      status: start > 0 ? 206 : 200,
      body: object.bytes
    }))
  }

  const answer: Double = (_, asked) => {
    const { host, pathname } = asked.url
    if (host === "login.microsoftonline.com") return accounts.answer(asked)
    if (host === "files.test") return bytes(asked)
    if (host !== "graph.microsoft.com") return notFound()
    if (!accounts.isLetIn(asked)) {
      return json(401, { error: { code: "InvalidAuthenticationToken", message: "Access token has expired." } })
    }
    const path = pathname.slice("/v1.0".length)
    if (path === site) return json(200, { id: "contoso.sharepoint.com,1,2" })
    const [, rest] = /^(?:\/me\/drive|\/sites\/contoso\.sharepoint\.com,1,2\/drive)\/(root.*)$/u.exec(path) ?? []
    if (rest !== undefined) return top(rest)
    return path.startsWith(`/drives/${driveId}/`)
      ? ofDrive(path.slice(`/drives/${driveId}/`.length), asked.url)
      : notFound()
  }

  const made: Graph = { drive, accounts, answer, leaked, isPersonal: false }
  return made
}
