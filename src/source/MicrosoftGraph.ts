/**
 * Files of OneDrive and of SharePoint, by Microsoft Graph.
 *
 * The drive is listed once and remembered; later runs ask for what changed since. A file whose hash or `cTag` the ledger knows is not read,
 * whatever became of its rights. Notebooks and shortcuts to folders of others are left out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as DriveRoot from "../internal/drive/driveRoot.ts"
import type { Change, Get, Provider, Service } from "../internal/drive/service.ts"
import { environment } from "../internal/objects/environment.ts"
import type * as Source from "../Source.ts"

/**
 * How a user is let in.
 *
 * @since 0.1.0
 * @category models
 */
export interface Access extends DriveRoot.Access {
  /** Directory of the users; default `MICROSOFT_TENANT_ID`, then `common` for all. */
  readonly tenant?: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection, Access, DriveRoot.Options {
  /** `onedrive:` or `onedrive:FOLDER` of the user; `sharepoint:HOST/sites/NAME` or `sharepoint:HOST/sites/NAME/FOLDER` of a site's documents. */
  readonly root: string
  /** First part of every document id; default `onedrive` or the site's name, with the folder, as `onedrive/Reports`. */
  readonly name?: string | undefined
}

const origin = "https://graph.microsoft.com"
const api = `${origin}/v1.0`

const providerOf = ({ tenant }: Access): Provider => {
  const login = `https://login.microsoftonline.com/${tenant ?? (environment()["MICROSOFT_TENANT_ID"] || "common")}/oauth2/v2.0`
  return {
    title: "Microsoft",
    device: `${login}/devicecode`,
    token: `${login}/token`,
    scope: "offline_access Files.Read.All Sites.Read.All",
    variables: {
      clientId: "MICROSOFT_CLIENT_ID",
      clientSecret: "MICROSOFT_CLIENT_SECRET",
      refreshToken: "MICROSOFT_REFRESH_TOKEN"
    }
  }
}

const Present = Schema.optional(Schema.Unknown)

const DriveItem = Schema.Struct({
  id: Schema.String,
  name: Schema.optional(Schema.String),
  size: Schema.optional(Schema.Number),
  cTag: Schema.optional(Schema.String),
  eTag: Schema.optional(Schema.String),
  file: Schema.optional(
    Schema.Struct({ hashes: Schema.optional(Schema.Struct({ quickXorHash: Schema.optional(Schema.String) })) })
  ),
  folder: Present,
  package: Present,
  remoteItem: Present,
  deleted: Present,
  parentReference: Schema.optional(
    Schema.Struct({ driveId: Schema.optional(Schema.String), id: Schema.optional(Schema.String) })
  )
})

const fields = "id,name,size,cTag,eTag,file,folder,package,remoteItem,deleted,parentReference"

const Delta = Schema.Struct({
  value: Schema.Array(DriveItem),
  "@odata.nextLink": Schema.optional(Schema.String),
  "@odata.deltaLink": Schema.optional(Schema.String)
})

const changeOf = (found: typeof DriveItem.Type): Change => {
  const { cTag, eTag, file, folder, id, name, parentReference, size = 0 } = found
  const isLeftOut = found.deleted !== undefined || found.package !== undefined || found.remoteItem !== undefined
  if (name === undefined || isLeftOut || (file === undefined && folder === undefined)) return { id, item: null }
  const item = { id, name, parent: parentReference?.id ?? "" }
  // OneDrive for Business tells changes without `cTag`, and that of a user has no such hash.
  const version = file?.hashes?.quickXorHash ?? cTag ?? eTag ?? ""
  return { id, item: file === undefined ? item : { ...item, file: { size, version } } }
}

/** The drive of a user or of a site, which is looked up by its address. */
const driveOf = (get: Get, site: string | undefined): Effect.Effect<string, Source.SourceUnavailable> =>
  site === undefined
    ? Effect.succeed(`${api}/me/drive`)
    : Effect.map(
        get(`${api}/sites/${site}?$select=id`, Schema.Struct({ id: Schema.String })),
        ({ id }) => `${api}/sites/${id}/drive`
      )

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

const serviceOf = (access: Access, site: string | undefined, folder: string): Service => {
  const itemIn = (drive: string, id: string): string => `${api}/drives/${drive}/items/${id}`
  return {
    provider: providerOf(access),
    origin,
    needs: "sign in as a user who may read it, with an application that has the right Files.Read.All",
    root: (get) =>
      Effect.gen(function* () {
        const at = folder === "" ? "root" : `root:/${encoded(folder)}`
        const found = yield* get(`${yield* driveOf(get, site)}/${at}?$select=${fields}`, DriveItem)
        return {
          drive: found.parentReference?.driveId ?? "",
          folder: found.id,
          isFolder: found.folder !== undefined
        }
      }),
    start: (_, { drive }) =>
      Effect.succeed({ first: `${api}/drives/${drive}/root/delta?$select=${fields}&$top=1000`, later: null }),
    page: (get, address) =>
      Effect.map(get(address, Delta), (found) => ({
        changes: found.value.map(changeOf),
        next: found["@odata.nextLink"] ?? null,
        later: found["@odata.deltaLink"] ?? null
      })),
    look: (get, { drive }, id) => Effect.map(get(`${itemIn(drive, id)}?$select=${fields}`, DriveItem), changeOf),
    content: ({ drive }, { id }) => `${itemIn(drive, id)}/content`
  }
}

const forms = "expected onedrive:FOLDER or sharepoint:HOST/sites/NAME/FOLDER, the folder or none"

const rootOf = (options: Options): Either.Either<DriveRoot.Root, string> => {
  const [, kind = "", host, site, path = ""] =
    /^(?:(onedrive):\/?|(?:sharepoint):([a-z0-9.-]+)\/((?:sites|teams)\/[^/]+)(?:\/|$))(.*)$/isu.exec(options.root) ??
    []
  if (kind === "" && host === undefined) return Either.left(forms)
  if (/[*?]/u.test(path)) return Either.left(`${forms}; patterns are given apart from it`)
  const folder = path.replace(/\/+$/u, "")
  const top = kind === "" ? (site?.split("/")[1] ?? "") : "onedrive"
  return Either.right({
    name: folder === "" ? top : `${top}/${folder}`,
    address:
      kind === ""
        ? `sharepoint:${host?.toLowerCase()}/${site}${folder === "" ? "" : `/${folder}`}`
        : `onedrive:${folder}`,
    service: serviceOf(options, kind === "" ? `${host}:/${encoded(site ?? "")}` : undefined, folder)
  })
}

/**
 * The files of a drive below a folder, as a run takes them. Fails when the drive cannot be listed to its end; one file that cannot be read
 * fails as a document.
 *
 * @example
 * import * as MicrosoftGraph from "docsluice/source/MicrosoftGraph"
 *
 * const reports = MicrosoftGraph.make({ root: "sharepoint:contoso.sharepoint.com/sites/Finance/Reports", types: ["pdf"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): DriveRoot.Files => DriveRoot.source(options, rootOf(options))

/**
 * Lets a user sign in by the device flow: `onCode` gets the address to open and the code to enter there. Ends when that is done, with the
 * tokens in their file; fails when it is refused, or not done in time (some 15 minutes).
 *
 * @since 0.1.0
 * @category constructors
 */
export const signIn = (options: Access & DriveRoot.WithCode): DriveRoot.SignIn =>
  DriveRoot.signIn(providerOf(options), options)
