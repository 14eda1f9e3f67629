/** The sources of this package over doubles of their stores, as targets of `SourceConformance`. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Discovery from "docsluice/Discovery"
import * as Source from "docsluice/Source"
import * as Archive from "docsluice/source/Archive"
import * as AzureBlob from "docsluice/source/AzureBlob"
import * as Git from "docsluice/source/Git"
import * as GoogleDrive from "docsluice/source/GoogleDrive"
import * as Http from "docsluice/source/Http"
import * as Imap from "docsluice/source/Imap"
import * as MicrosoftGraph from "docsluice/source/MicrosoftGraph"
import * as S3 from "docsluice/source/S3"
import * as Sftp from "docsluice/source/Sftp"
import * as Sql from "docsluice/source/Sql"
import * as WebDav from "docsluice/source/WebDav"
import * as SourceFile from "docsluice/SourceFile"
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect, Redacted, type Scope, Stream } from "effect"
import { sha256 } from "../../src/internal/base/sha256.ts"
import * as Archives from "./archives.ts"
import * as Dovecot from "./dovecot.ts"
import * as GoogleDouble from "./googleDouble.ts"
import * as GraphDouble from "./graphDouble.ts"
import * as Repository from "./repository.ts"
import * as Rows from "./rows.ts"
import * as Sshd from "./sshd.ts"
import * as Doubles from "./storeDoubles.ts"

type Store = SourceConformance.Store
type Target = SourceConformance.Target

const name = "documents"

/** Hidden files are left out on purpose. */
const isShown = (path: string): boolean => !path.split("/").some((segment) => segment.startsWith("."))

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-conformance-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

/** Calls the listener for each change while the scope is open. */
const followed = (store: Store, listener: (path: string) => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => store.listen(listener)),
      (stop) => Effect.sync(stop)
    )
  )

/** Keeps a folder of the disk in step with the store while the scope is open. */
const written = (store: Store, root: string): Effect.Effect<void, never, Scope.Scope> =>
  followed(store, (path) => {
    const file = join(root, path)
    const object = store.get(path)
    if (object === undefined) return rmSync(file)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, object.bytes)
    return utimesSync(file, object.modified / 1000, object.modified / 1000)
  })

/** The objects as files on the disk. */
export const folder: Target = {
  name: "a folder",
  takes: isShown,
  source: (store) =>
    Effect.gen(function* () {
      const root = yield* temporary
      yield* written(store, root)
      return Discovery.folder({ root, name })
    })
}

/** The objects as files of a server, which tells their times in whole seconds. */
export const sftp: Target = {
  name: "OpenSSH's server",
  takes: isShown,
  grain: 1000,
  source: (store) =>
    Effect.gen(function* () {
      const { files, home, key, root } = yield* Sshd.scoped
      yield* written(store, files)
      const privateKey = Redacted.make(readFileSync(key, "utf8"))
      return Sftp.make({ root, name, privateKey, knownHosts: join(home, ".ssh/known_hosts") })
    })
}

/** An object store whose requests the double answers, without a network. */
const overClient = (
  title: string,
  double: Doubles.Double,
  source: Source.Source<unknown, HttpClient.HttpClient>
): Target => ({
  name: title,
  takes: isShown,
  abilities: ["pages", "status", "break", "blank", "unversioned"],
  source: (store) => {
    const files = Stream.provideService(source.files, HttpClient.HttpClient, Doubles.client(store, double))
    return Effect.succeed(Source.within(source.scope, files))
  }
})

export const s3: Target = overClient(
  "S3",
  Doubles.s3,
  S3.make({ root: "s3://bucket", name, endpoint: "http://s3.test", credentials: "anonymous" })
)

export const azure: Target = overClient(
  "Azure",
  Doubles.azure,
  AzureBlob.make({ root: "az://container", name, endpoint: "http://azure.test/account", account: { name: "account" } })
)

/** A drive that lists everything at each run, since it never knows what changed since the last one. */
const overDrive = (
  title: string,
  double: (store: Store) => Pick<GraphDouble.Graph, "answer" | "drive">,
  source: (options: MicrosoftGraph.Access & { readonly cache: string }) => ReturnType<typeof GoogleDrive.make>
): Target => ({
  name: title,
  takes: isShown,
  abilities: ["pages", "status", "break", "blank"],
  looks: 1,
  listsWhole: true,
  source: (store) =>
    Effect.gen(function* () {
      const { answer, drive } = double(store)
      drive.forgets = true
      const made = source({ accessToken: Redacted.make("given"), cache: yield* temporary })
      const files = Stream.provideService(made.files, HttpClient.HttpClient, Doubles.client(store, answer))
      return Source.within(made.scope, files)
    })
})

export const graph: Target = overDrive("Microsoft Graph", GraphDouble.make, (options) =>
  MicrosoftGraph.make({ root: "onedrive:", name, ...options })
)

export const google: Target = overDrive("Google Drive", GoogleDouble.make, (options) =>
  GoogleDrive.make({ root: "gdrive:", name, ...options })
)

/** A folder of WebDAV, whose listings have no pages. */
export const webdav: Target = {
  name: "WebDAV",
  takes: isShown,
  abilities: ["status", "break", "blank", "unversioned"],
  source: (store) => {
    store.pageSize = Infinity
    const source = WebDav.make({ root: "webdav:http://dav.test/dav/files", name, credentials: "anonymous" })
    const client = Doubles.client(store, Doubles.webdav)
    return Effect.succeed(
      Source.within(source.scope, Stream.provideService(source.files, HttpClient.HttpClient, client))
    )
  }
}

/** A sitemap of a server on the loopback address. */
export const web = (tells: Doubles.Tells): Target => ({
  name: `a web server that tells ${tells}`,
  // A name keeps the encoding of what would change its meaning.
  takes: (path) => isShown(path) && !/[\\\p{Cc}]/u.test(path),
  abilities: ["status", "break"],
  looks: 1,
  grain: tells === "date" ? 1000 : 0,
  fingerprints: tells === "nothing" ? "none" : "objects",
  source: (store) =>
    Effect.gen(function* () {
      store.pageSize = Infinity
      const origin = yield* Doubles.served(store, Doubles.web(tells))
      return Http.make({ root: `sitemap:${origin}/sitemap.xml`, name, allowPrivate: ["127.0.0.1"] })
    })
})

const membersOf = ({ objects }: Store) => objects.map(({ bytes, path }) => ({ name: path, body: Buffer.from(bytes) }))

/** An archive that is made anew with each change. */
const archive = (
  kind: "zip" | "tar",
  file: string,
  pack: (store: Store) => Uint8Array,
  rest: Pick<Target, "takes" | "fingerprints">
): Target => ({
  name: file,
  ...rest,
  source: (store) =>
    Effect.gen(function* () {
      const made = join(yield* temporary, file)
      const write = () => {
        writeFileSync(`${made}.new`, pack(store))
        renameSync(`${made}.new`, made)
      }
      write()
      yield* followed(store, write)
      return Archive.make({ root: `${kind}:${made}`, name })
    })
})

/** A backslash in a name is a slash. */
export const zip: Target = archive("zip", "a.zip", (store) => Archives.zip(membersOf(store)), {
  takes: (path) => isShown(path) && !path.includes("\\")
})

/** Names of 100 bytes at most, as the header of a member holds them. */
const tarred: Pick<Target, "takes" | "fingerprints"> = {
  takes: (path) => isShown(path) && Buffer.byteLength(path) <= 100,
  fingerprints: "store"
}

export const tar: Target = archive("tar", "a.tar", (store) => Archives.tar(membersOf(store)), tarred)

export const packedTar: Target = archive("tar", "a.tgz", (store) => gzipSync(Archives.tar(membersOf(store))), tarred)

/** A repository in which each change is a commit. */
export const git: Target = {
  name: "a git repository",
  takes: (path) => isShown(path) && !/~\d|[\\:]/u.test(path),
  fingerprints: "objects",
  source: (store) =>
    Effect.gen(function* () {
      const folder = join(yield* temporary, "manual.git")
      Repository.init(folder)
      const commit = () => Repository.commit(folder, membersOf(store))
      commit()
      yield* followed(store, commit)
      return Git.make({ root: `git:${folder}@main`, name })
    })
}

/** A table in which each object is a row. */
const rows = (
  kind: string,
  given: Partial<Target>,
  table: (
    store: Store
  ) => Effect.Effect<Pick<Sql.Options, "database"> & { readonly ready: Effect.Effect<void> }, never, Scope.Scope>
): Target => ({
  name: `rows of ${kind}`,
  takes: (path) => isShown(path) && path.endsWith(".md") && !path.includes("\0"),
  ...given,
  source: (store) =>
    Effect.map(table(store), ({ database, ready }) => {
      const query = `SELECT path AS key, ${given.fingerprints === "none" ? "" : "version, "}content FROM object`
      const made = Sql.make({ name, database, query })
      return Source.within(made.scope, Stream.unwrap(Effect.as(ready, made.files)))
    })
})

const removal = "DELETE FROM object WHERE path = $1"
const creation = "INSERT INTO object VALUES ($1, $2, $3)"

const inFile = (store: Store) =>
  Effect.gen(function* () {
    const file = join(yield* temporary, "objects.db")
    const run = Rows.inFile(file)
    run("CREATE TABLE object (path PRIMARY KEY, version, content)")
    yield* followed(store, (path) => {
      const object = store.get(path)
      run(removal, path)
      if (object !== undefined) run(creation, path, object.version, Buffer.from(object.bytes))
    })
    return { database: `libsql:${file}`, ready: Effect.void }
  })

export const sqlite: Target = rows("SQLite", {}, inFile)

export const sqliteUnversioned: Target = rows("SQLite without versions", { fingerprints: "none" }, inFile)

/** Over a server: what was changed is there before the next listing. */
export const postgres = (server: Effect.Effect<string>): Target =>
  rows("PostgreSQL", {}, (store) =>
    Effect.gen(function* () {
      const database = yield* server
      const run = yield* Rows.onServer(database)
      yield* Effect.promise(() => run("DROP TABLE IF EXISTS object"))
      yield* Effect.promise(() => run("CREATE TABLE object (path text PRIMARY KEY, version bigint, content bytea)"))
      let ready: Promise<unknown> = Promise.resolve()
      yield* followed(store, (path) => {
        const object = store.get(path)
        ready = ready
          .then(() => run(removal, path))
          .then(() => (object === undefined ? [] : run(creation, path, object.version, Buffer.from(object.bytes))))
      })
      return { database, ready: Effect.promise(() => ready) }
    })
  )

/**
 * A mailbox in which each object is attached to a mail of its own. The server names documents, so that the target gives them the paths of the
 * objects, by the ids of their mails; the mails themselves are left out.
 */
export const mailbox: Target = {
  name: "a mailbox",
  source: (store) =>
    Effect.gen(function* () {
      const { account } = yield* Dovecot.scoped
      const { deliver, root } = account("anna")
      const idOf = (path: string) => `<${sha256(path)}@example.com>`
      const paths = new Map<string, string>()
      const mails = new Map<string, string>()
      yield* followed(store, (path) => {
        const [mail, object] = [mails.get(path), store.get(path)]
        if (mail !== undefined) rmSync(mail)
        mails.delete(path)
        if (object === undefined) return
        const attached = Dovecot.attached("document.md", object.bytes)
        const headers = { Subject: "file", "Message-ID": idOf(path), Date: new Date(object.modified).toUTCString() }
        mails.set(path, deliver("INBOX", Dovecot.mixed(headers, attached)))
        paths.set(`file-${sha256(idOf(path)).slice(0, 12)}.eml/document.md`, path)
      })
      const source = Imap.make({ root: root("INBOX"), name, password: Redacted.make(Dovecot.password) })
      const files = source.files.pipe(
        Stream.filter((found) => !found.path.endsWith(".eml")),
        Stream.map((found) => {
          const path = paths.get(found.path) ?? found.path
          return Object.assign({}, found, { path, documentId: SourceFile.documentId(name, path) })
        })
      )
      return Source.within(source.scope, files)
    })
}
