/** A folder of an SSH server as a store: its folders one by one, and files by handles, which tell whether they were changed. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { FileEntryWithStats } from "ssh2"
import { SourceUnavailable } from "../../Source.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import { environment } from "../objects/environment.ts"
import { type Content, type Folder, walked } from "../objects/folders.ts"
import { ObjectChanged, type ObjectEntry, type ObjectRead, type ObjectStore } from "../objects/objectStore.ts"
import * as OptionalPackage from "../objects/optionalPackage.ts"
import * as Access from "./access.ts"
import * as Connection from "./connection.ts"
import type { Place } from "./place.ts"

/** A file as its folder lists it. */
export interface SftpEntry extends ObjectEntry {
  /** Seconds since the epoch. */
  readonly modified: number
}

/** Seconds for which a change is too fresh to be told by its time: stamps are whole seconds, and the server's clock may be another's. */
const fresh = 60

/** Bytes that are asked for at a time, and how many such requests. */
const part = 65_536
const ahead = 4

const typeOf = (mode: number): number => mode & 0o170000
const folderType = 0o040000
const fileType = 0o100000

const entryOf = (key: string, { attrs }: FileEntryWithStats, now: number): SftpEntry => {
  const { mtime: modified, size } = attrs
  return { key, size, modified, etag: modified + fresh <= now / 1000 ? `${modified} ${size}` : "" }
}

/** What a server says of a file that is open. */
interface Stamp {
  readonly mtime: number
  readonly size: number
}

const isListed = ({ modified, size }: SftpEntry, now: Stamp): boolean => now.size === size && now.mtime === modified

type Failure = Connection.Refusal | SourceUnavailable

interface Opened {
  readonly session: Connection.Session
  readonly handle: Buffer
  readonly stats: Effect.Effect<Stamp, Failure>
}

/** The bytes from `start` to the end that was listed; fails when the file is then another one. */
const bytesOf = (
  { handle, session, stats }: Opened,
  entry: SftpEntry,
  start: number
): Stream.Stream<Uint8Array, SourceUnavailable | ObjectChanged> => {
  const some = (at: number, length: number) =>
    session.ask<Uint8Array>((sftp, done) => {
      const buffer = Buffer.allocUnsafe(length)
      sftp.read(handle, buffer, 0, length, at, (error, count) => done(error, buffer.subarray(0, count)))
    })
  // A server may answer with less than it was asked for.
  const range = (at: number, end: number): Stream.Stream<Uint8Array, Failure> =>
    Stream.unfoldEffect(at, (from) =>
      from >= end
        ? Effect.succeedNone
        : Effect.map(some(from, end - from), (bytes) => Option.some([bytes, from + bytes.length] as const))
    )
  const starts = Stream.unfold(start, (at) => (at < entry.size ? Option.some([at, at + part] as const) : Option.none()))
  const verified: Stream.Stream<never, Failure | ObjectChanged> = Stream.unwrap(
    Effect.map(stats, (now) => (isListed(entry, now) ? Stream.empty : Stream.fail(new ObjectChanged())))
  )
  return starts.pipe(
    Stream.mapEffect((at) => Stream.runCollect(range(at, Math.min(at + part, entry.size))), { concurrency: ahead }),
    Stream.flattenChunks,
    Stream.concat(verified),
    // A file that ends before is another one.
    Stream.mapError((error) => (typeof error === "string" ? new ObjectChanged() : error)),
    Stream.ensuring(session.close(handle))
  )
}

/** Reads what is known of the server and of this user; connects when something is asked for. */
export const open = (
  place: Place,
  given: Access.Given
): Effect.Effect<ObjectStore<SftpEntry>, SourceUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { address } = place
    const failed = (reason: SourceUnavailable["reason"], problem: Message.Message, cause?: unknown) =>
      new SourceUnavailable({ source: address, reason, ...Message.problem(problem), cause })
    const { default: ssh } = yield* OptionalPackage.load(address, "ssh2", () => import("ssh2"))
    const access = yield* Effect.tryPromise({
      try: () => Access.find(place, given, environment()),
      catch: (cause) =>
        failed("Invalid", `a file with keys cannot be read (${cause instanceof Error ? cause.message : String(cause)})`)
    })
    if (access === null)
      return yield* failed("Invalid", "hostKey: expected SHA256:… or a type and a key, as ssh-keyscan shows it")
    const { using } = yield* Connection.make(place, access, ssh)

    const pathOf = (key: string): string => `${place.path}${key}`

    /** A folder's path without the slash at its end. */
    const folderPath = (key: string): string => {
      const path = pathOf(key)
      return path === "" ? "." : path === "/" ? path : path.slice(0, -1)
    }

    const entriesOf = (session: Connection.Session, handle: Buffer) =>
      Stream.runCollect(
        Stream.repeatEffectOption(
          Effect.mapError(
            session.ask<ReadonlyArray<FileEntryWithStats>>((sftp, done) => sftp.readdir(handle, done)),
            (error) => (error === "End" ? Option.none() : Option.some(error))
          )
        )
      ).pipe(Effect.map((pages) => [...pages].flat()))

    const list = ({ key }: Folder): Effect.Effect<Content<SftpEntry, Folder> | null, SourceUnavailable> =>
      using((session) =>
        Effect.flatMap(
          session.ask<Buffer>((sftp, done) => sftp.opendir(folderPath(key), done)),
          (handle) => Effect.ensuring(entriesOf(session, handle), session.close(handle))
        )
      ).pipe(
        Effect.flatMap((found) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const of = (type: number) =>
              found.filter(
                ({ attrs, filename }) => typeOf(attrs.mode) === type && filename !== "." && filename !== ".."
              )
            return {
              entries: of(fileType).map((one) => entryOf(`${key}${one.filename}`, one, now)),
              folders: of(folderType).map(({ filename }) => ({ key: `${key}${filename}/` }))
            }
          })
        ),
        Effect.catchAll((error) => {
          if (typeof error !== "string") return Effect.fail(error)
          if (error === "Gone" && key !== "") return Effect.succeed(null)
          if (error === "Denied") {
            return key === ""
              ? failed("Denied", "it may not be listed; let this user read it, or sign in as another")
              : failed(
                  "Denied",
                  text`${key} may not be listed; let this user read it, or leave it out with ${option("ignore")}`
                )
          }
          return failed("Missing", "there is no such folder; check the path")
        })
      )

    const read = (entry: SftpEntry, start: number): Effect.Effect<ObjectRead, SourceUnavailable> =>
      using((session) =>
        Effect.gen(function* () {
          const handle = yield* session.ask<Buffer>((sftp, done) => sftp.open(pathOf(entry.key), "r", done))
          const stats = session.ask<Stamp>((sftp, done) => sftp.fstat(handle, done))
          return { session, handle, stats, now: yield* stats }
        })
      ).pipe(
        Effect.flatMap((opened): Effect.Effect<ObjectRead> => {
          if (isListed(entry, opened.now))
            return Effect.succeed({ _tag: "Bytes", bytes: bytesOf(opened, entry, start) })
          const { handle, now, session } = opened
          return Effect.as(session.close(handle), { _tag: "Changed", size: now.size })
        }),
        Effect.catchAll((error) =>
          typeof error === "string"
            ? Effect.succeed<ObjectRead>({ _tag: error === "Denied" ? "Denied" : "Gone" })
            : Effect.fail(error)
        )
      )

    return {
      address,
      list: (prefixes, _, enters) =>
        walked({ source: address, folderOf: (key): Folder => ({ key }), list }, prefixes, enters),
      bytes: { _tag: "Answers", read }
    }
  })
