/** Roots that are no folders: their spellings, and the sources that they mean. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Scope from "effect/Scope"
import type * as Source from "../../Source.ts"
import * as Archive from "../../source/Archive.ts"
import * as AzureBlob from "../../source/AzureBlob.ts"
import * as Git from "../../source/Git.ts"
import * as GoogleDrive from "../../source/GoogleDrive.ts"
import * as Http from "../../source/Http.ts"
import * as Imap from "../../source/Imap.ts"
import * as MicrosoftGraph from "../../source/MicrosoftGraph.ts"
import * as S3 from "../../source/S3.ts"
import * as Sftp from "../../source/Sftp.ts"
import * as Sql from "../../source/Sql.ts"
import * as WebDav from "../../source/WebDav.ts"

/** Options of a source of any kind. */
export interface Options extends Source.Selection {
  /** One of {@link spellings}. */
  readonly root: string
  readonly name?: string | undefined
  /** Of object stores. */
  readonly endpoint?: string | undefined
  /** Of lists and sitemaps. */
  readonly allowPrivate?: ReadonlyArray<string> | undefined
}

type Made = Source.Source<Source.SourceUnavailable, HttpClient.HttpClient | Scope.Scope>

interface Kind {
  /** `store`: folders of a bucket. `host`: folders of a server. `web`: a list of documents. `file`: what is named as a whole. */
  readonly of: "store" | "host" | "web" | "file"
  readonly make: (options: Options) => Made
}

/** Kinds by the text before the colon. */
const kinds: Readonly<Record<string, Kind>> = {
  s3: { of: "store", make: S3.make },
  az: { of: "store", make: AzureBlob.make },
  list: { of: "web", make: Http.make },
  sitemap: { of: "web", make: Http.make },
  zip: { of: "file", make: Archive.make },
  tar: { of: "file", make: Archive.make },
  git: { of: "file", make: Git.make },
  webdav: { of: "file", make: WebDav.make },
  sftp: { of: "host", make: Sftp.make },
  imap: { of: "file", make: Imap.make },
  imaps: { of: "file", make: Imap.make },
  sql: { of: "file", make: Sql.file },
  onedrive: { of: "file", make: MicrosoftGraph.make },
  sharepoint: { of: "file", make: MicrosoftGraph.make },
  gdrive: { of: "file", make: GoogleDrive.make }
}

/** The spellings, for messages. */
export const spellings =
  "s3://BUCKET, az://CONTAINER, sitemap:URL, list:URL, list:FILE, zip:FILE, tar:FILE, git:REPOSITORY@REF, webdav:URL, sftp://HOST/PATH, imaps://USER@HOST/FOLDER, sql:FILE, onedrive:FOLDER, sharepoint:HOST/sites/NAME or gdrive:ID"

const kindOf = (text: string): Kind | undefined => {
  const [, word = "", slashes = ""] = /^([a-z0-9]+):(\/\/)?/u.exec(text) ?? []
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined
  return (kind?.of === "store" || kind?.of === "host") && slashes === "" ? undefined : kind
}

/** True for the address of a root that a source of this package reads. */
export const isAddress = (text: string): boolean => kindOf(text) !== undefined

/** True for one in a bucket or on a host, below which there are folders. */
export const isStore = (text: string): boolean => hasEndpoint(text) || kindOf(text)?.of === "host"

/** True for a bucket, whose store may be at an address of its own. */
export const hasEndpoint = (text: string): boolean => kindOf(text)?.of === "store"

/** True for a list or a sitemap. */
export const isWeb = (text: string): boolean => kindOf(text)?.of === "web"

/** The source of a root; undefined for a root that is no such address. */
export const make = (options: Options): Made | undefined => kindOf(options.root)?.make(options)

/** The address with the path of its file absolute. */
export const absolute = (root: string): string => (isStore(root) ? root : (make({ root })?.scope.path ?? root))
