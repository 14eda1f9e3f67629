/**
 * Files of Google Drive: My Drive, folders that are shared, and shared drives.
 *
 * The drive is listed once and remembered; later runs ask for what changed since. A file whose checksum the ledger knows is not read. Docs,
 * Sheets and Slides are exported as `.docx`, `.xlsx` and `.pptx`, each once for a change: an export shows its size only when it is read, so
 * that it is read while the drive is listed, into a temporary file. Shortcuts, forms, drawings and what is in the bin are left out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as DriveRoot from "../internal/drive/driveRoot.ts"
import type { Change, Provider, Service } from "../internal/drive/service.ts"
import type * as Source from "../Source.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection, DriveRoot.Options {
  /** `gdrive:` for My Drive, or `gdrive:ID` of a folder or a shared drive: the last part of its address in a browser. */
  readonly root: string
  /** First part of every document id; default `gdrive`, with the folder's id. */
  readonly name?: string | undefined
}

const origin = "https://www.googleapis.com"
const files = `${origin}/drive/v3/files`
const changes = `${origin}/drive/v3/changes`

const provider: Provider = {
  title: "Google",
  device: "https://oauth2.googleapis.com/device/code",
  token: "https://oauth2.googleapis.com/token",
  // The only right to files that a code grants.
  scope: "https://www.googleapis.com/auth/drive.file",
  browser: {
    address: "https://accounts.google.com/o/oauth2/v2/auth",
    scope: "https://www.googleapis.com/auth/drive.readonly"
  },
  variables: {
    clientId: "GOOGLE_CLIENT_ID",
    clientSecret: "GOOGLE_CLIENT_SECRET",
    refreshToken: "GOOGLE_REFRESH_TOKEN"
  }
}

const folderType = "application/vnd.google-apps.folder"

/** Extension and type as which a file without bytes of its own is exported. */
const exports: Readonly<Record<string, readonly [extension: string, type: string]>> = {
  document: ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  spreadsheet: ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  presentation: ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"]
}

const DriveFile = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  mimeType: Schema.String,
  trashed: Schema.optional(Schema.Boolean),
  parents: Schema.optional(Schema.Array(Schema.String)),
  driveId: Schema.optional(Schema.String),
  size: Schema.optional(Schema.NumberFromString.pipe(Schema.nonNegative(), Schema.int())),
  md5Checksum: Schema.optional(Schema.String),
  modifiedTime: Schema.optional(Schema.String)
})

const fields = "id,name,mimeType,trashed,parents,driveId,size,md5Checksum,modifiedTime"

const Listed = Schema.Struct({
  nextPageToken: Schema.optional(Schema.String),
  newStartPageToken: Schema.optional(Schema.String),
  files: Schema.optional(Schema.Array(DriveFile)),
  changes: Schema.optional(
    Schema.Array(Schema.Struct({ fileId: Schema.optional(Schema.String), file: Schema.optional(DriveFile) }))
  )
}).pipe(Schema.filter(({ changes, files }) => (changes ?? files) !== undefined))

const changeOf = (found: typeof DriveFile.Type): Change => {
  const { id, md5Checksum, mimeType, modifiedTime = "", name, parents = [], size, trashed } = found
  const item = { id, name, parent: parents[0] ?? "" }
  if (trashed === true) return { id, item: null }
  if (mimeType === folderType) return { id, item }
  const [extension, as] = exports[mimeType.replace("application/vnd.google-apps.", "")] ?? []
  if (extension !== undefined) {
    return { id, item: { ...item, name: `${name}.${extension}`, file: { size: null, version: modifiedTime, as } } }
  }
  if (mimeType.startsWith("application/vnd.google-apps.") || size === undefined) return { id, item: null }
  return { id, item: { ...item, file: { size, version: md5Checksum ?? modifiedTime } } }
}

/** The address with these members of its query. */
const withQuery = (address: string, query: Readonly<Record<string, string>>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** Members of the query for a shared drive; My Drive has the root folder's id in its place. */
const shared = ({ drive }: { readonly drive: string }): Readonly<Record<string, string>> => ({
  supportsAllDrives: "true",
  ...(drive.startsWith("shared:") && { driveId: drive.slice("shared:".length), includeItemsFromAllDrives: "true" })
})

const one = (id: string): string =>
  withQuery(`${files}/${encodeURIComponent(id)}`, { fields, supportsAllDrives: "true" })

const serviceOf = (folder: string): Service => ({
  provider,
  origin,
  needs: "give a token of a user who may read it, with the right drive.readonly",
  isThrottled: (text) => /"(?:userRateLimitExceeded|rateLimitExceeded)"/u.test(text),
  root: (get) =>
    Effect.gen(function* () {
      const found = yield* get(one(folder), DriveFile)
      const own = found.driveId === undefined && folder !== "root" ? yield* get(one("root"), DriveFile) : found
      return {
        drive: found.driveId === undefined ? own.id : `shared:${found.driveId}`,
        folder: found.id,
        isFolder: found.mimeType === folderType && found.trashed !== true
      }
    }),
  start: (get, root) =>
    Effect.map(
      get(withQuery(`${changes}/startPageToken`, shared(root)), Schema.Struct({ startPageToken: Schema.String })),
      ({ startPageToken: pageToken }) => {
        const every = { pageSize: "1000", ...shared(root) }
        const corpora = root.drive.startsWith("shared:") ? "drive" : "user"
        const query = { q: "trashed = false", corpora, fields: `nextPageToken,files(${fields})`, ...every }
        const later = { pageToken, fields: `nextPageToken,newStartPageToken,changes(fileId,file(${fields}))`, ...every }
        return { first: withQuery(files, query), later: withQuery(changes, later) }
      }
    ),
  page: (get, address) =>
    Effect.map(get(address, Listed), ({ changes = [], files = [], newStartPageToken, nextPageToken }) => ({
      changes: [
        ...files.map(changeOf),
        ...changes.flatMap(({ file, fileId }) =>
          file !== undefined ? [changeOf(file)] : fileId === undefined ? [] : [{ id: fileId, item: null }]
        )
      ],
      next: nextPageToken === undefined ? null : withQuery(address, { pageToken: nextPageToken }),
      later: newStartPageToken === undefined ? null : withQuery(address, { pageToken: newStartPageToken })
    })),
  look: (get, _, id) => Effect.map(get(one(id), DriveFile), changeOf),
  content: (_, { file, id }) =>
    file?.as === undefined
      ? withQuery(`${files}/${encodeURIComponent(id)}`, { alt: "media", supportsAllDrives: "true" })
      : withQuery(`${files}/${encodeURIComponent(id)}/export`, { mimeType: file.as })
})

const rootOf = ({ root }: Options): Either.Either<DriveRoot.Root, string> => {
  const [, folder] = /^gdrive:([\w-]*)$/u.exec(root) ?? []
  return folder === undefined
    ? Either.left("expected gdrive: for My Drive, or gdrive:ID with the last part of the folder's address in a browser")
    : Either.right({
        name: folder === "" ? "gdrive" : `gdrive/${folder}`,
        address: `gdrive:${folder}`,
        service: serviceOf(folder === "" ? "root" : folder)
      })
}

/**
 * The files of a folder and all below it, as a run takes them. Fails when the drive cannot be listed to its end; one file that cannot be
 * read, or is too large to be exported (10 MB), fails as a document. Of two files of one name in a folder, the one with the greater id has
 * a part of it in its name: `Plan (1AbcDefG).docx`.
 *
 * @example
 * import * as GoogleDrive from "docsluice/source/GoogleDrive"
 *
 * const handbook = GoogleDrive.make({ root: "gdrive:1A2b3C4d5E6f", types: ["docx", "pdf"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): DriveRoot.Files => DriveRoot.source(options, rootOf(options))

/**
 * Lets a user sign in with a browser of this machine, for all files that the user may read: `onAddress` gets the address to open. Ends when
 * that is done, with the tokens in their file; fails when it is refused, or not done in 15 minutes. The client is one for desktop apps.
 *
 * @since 0.1.0
 * @category constructors
 */
export const signInHere = (options: DriveRoot.WithBrowser): DriveRoot.SignIn => DriveRoot.signIn(provider, options)

/**
 * Lets a user sign in by the device flow, with a browser anywhere: `onCode` gets the address to open and the code to enter there. Google
 * lets a code grant the right `drive.file` alone, to files that the application made or was given. The client is one for TVs.
 *
 * @since 0.1.0
 * @category constructors
 */
export const signIn = (options: DriveRoot.WithCode): DriveRoot.SignIn => DriveRoot.signIn(provider, options)
