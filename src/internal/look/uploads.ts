/** Documents that the page has brought: files without a name, each for a while and all of them within a bound. */
import { createHash, randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type * as Readers from "../../Readers.ts"
import type { FileContent } from "../../service/Engine.ts"
import { archiveKind } from "../base/archiveKind.ts"
import * as FileType from "../base/fileType.ts"
import * as Limits from "../base/limits.ts"
import { show } from "../base/rules.ts"
import * as bodyPieces from "../server/bodyPieces.ts"
import * as Spools from "../server/spool.ts"
import { bounds } from "./bounds.ts"
import * as Refused from "./refused.ts"

/** Who reads a file that is dropped: pictures are not taken. */
type ReadBy = Exclude<Readers.ReadBy, { readonly _tag: "Picture" }>

/** A file that the server holds. */
export interface Upload {
  /** 32 hexadecimal digits that cannot be guessed. */
  readonly id: string
  /** Data only: never a path of this machine. */
  readonly name: string
  /** Who reads it. */
  readonly by: ReadBy
  readonly content: FileContent
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly hash: string
  readonly owner: string
}

/** A file that may be used while it is held. */
export interface Held<A> extends Upload {
  /** Kept with the file. */
  readonly attached: A
  /** Milliseconds since the epoch; null for a file that stays until the server ends. */
  readonly until: () => number | null
  /** From now on the file is kept for that time after each use, and no longer than it was before. */
  readonly shorten: (millis: number) => Effect.Effect<void>
  /** Frees the space of the file once nothing uses it; what is attached stays. */
  readonly discard: () => void
}

export interface Uploads<A> {
  /** Receives the body of a request as a file of the owner. */
  readonly receive: (
    request: HttpServerRequest.HttpServerRequest,
    name: string,
    owner: string
  ) => Effect.Effect<Held<A>, Refused.Refused>
  /** Keeps bytes as a file of the owner; `stays` until the server ends. */
  readonly put: (
    name: string,
    bytes: Uint8Array,
    owner: string,
    stays: boolean
  ) => Effect.Effect<Held<A>, Refused.Refused>
  /** Uses a file of the owner, which is not removed meanwhile; it is kept for its whole time again afterwards. */
  readonly use: <B, E, R>(
    id: string,
    owner: string,
    work: (held: Held<A>) => Effect.Effect<B, E, R>
  ) => Effect.Effect<B, E | Refused.Refused, R>
  readonly remove: (id: string, owner: string) => Effect.Effect<void, Refused.Refused>
  /** Files that stay until the server ends. */
  readonly staying: () => ReadonlyArray<Held<A>>
}

export interface Options<A> {
  /** The types that are taken. */
  readonly readers: Readers.Readers.Service
  readonly folder: string | undefined
  /** See {@link bodyPieces.stalled}. */
  readonly idleTimeout: Duration.DurationInput
  /** Makes what is kept with a file, once it is there. */
  readonly attach: (upload: Upload) => Effect.Effect<A>
  /** Bytes of all files together; default 500 MiB. */
  readonly most?: number | undefined
  /** Called when a file and what is attached to it are gone. */
  readonly removed: (held: Upload) => void
}

const full = (): Refused.Refused =>
  Refused.make(
    "SpoolFull",
    `The server holds as many documents as it may: ${bounds.bytes / 1_048_576} MB, ${bounds.files} files.`
  )

const tooLarge = (name: string): Refused.Refused =>
  Refused.make("FileTooLarge", `${show(name)} is larger than ${Limits.uploadBytes / 1_048_576} MB.`)

/** The last part of a name, without control characters. */
const plain = (name: string): string => (name.split(/[/\\]/u).at(-1) ?? "").replaceAll(/\p{Cc}/gu, "").slice(0, 255)

interface Entry<A> {
  readonly held: Held<A>
  readonly scope: Scope.CloseableScope
  users: number
  keptFor: number
  until: number | null
  gone: boolean
  /** True when the file is not needed any more. */
  discarded: boolean
  /** Frees the space of the file. */
  readonly free: Effect.Effect<void>
}

/** Bytes that are counted against a bound until the scope closes. */
interface Account {
  /** True if there is room for this many bytes in all. */
  readonly grow: (to: number) => boolean
}

const accounts = (most: number): Effect.Effect<Account, never, Scope.Scope> => {
  let used = 0
  return Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => ({ bytes: 0 })),
      (own) => Effect.sync(() => void (used -= own.bytes))
    ),
    (own) => ({
      grow: (to) => {
        const more = Math.max(0, to - own.bytes)
        if (used + more > most) return false
        used += more
        own.bytes += more
        return true
      }
    })
  )
}

const readerOf = (readers: Readers.Readers.Service, name: string): Effect.Effect<ReadBy, Refused.Refused> =>
  Effect.suspend(() => {
    const by = readers.whoReads(FileType.extensionOf(name))
    if (by !== undefined && by._tag !== "Picture") return Effect.succeed(by)
    const archive = archiveKind(FileType.extensionOf(name))
    const all = readers.readable.map((each) => `.${each}`).join(" ")
    return Refused.make(
      "UnsupportedFile",
      archive === undefined
        ? `${show(name)} is of a type that the server does not read; it reads ${all}.`
        : `${show(name)} is an archive; docsluice ingest ${archive}:FILE reads what is in it, or drop its files one by one.`
    )
  })

/** Writes the content of a file. */
type Write = (file: Spools.SpoolFile, account: Account) => Effect.Effect<void, Refused.Refused, Scope.Scope>

/** Writes the body of a request. */
const receiving = (
  request: HttpServerRequest.HttpServerRequest,
  name: string,
  idleTimeout: Duration.DurationInput
): Write =>
  Effect.fnUntraced(function* (file, { grow }) {
    const length = bodyPieces.declaredLength(request) ?? 0
    if (length > Limits.uploadBytes) return yield* tooLarge(name)
    if (!grow(length)) return yield* full()
    const add = (piece: Uint8Array) =>
      grow(file.length() + piece.length) ? Effect.mapError(file.write(piece), Refused.ofService) : full()
    const broken = () => Refused.make("UploadBroken", "The upload broke off.")
    const watch = bodyPieces.stalled(idleTimeout)
    return yield* Effect.mapError(
      bodyPieces.read(request, { maxBytes: Limits.uploadBytes, watch, broken }, add),
      (error) => {
        if (error._tag === "Refused") return error
        return error._tag === "PayloadTooLarge" ? tooLarge(name) : Refused.ofService(error)
      }
    )
  })

/** Long, since its calls share the entries, each of which ends by time, by use or by removal. */
export const make = <A>(options: Options<A>): Effect.Effect<Uploads<A>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { attach, folder = tmpdir(), idleTimeout, most = bounds.bytes, readers, removed } = options
    const home = yield* Effect.scope
    const entries = new Map<string, Entry<A>>()
    /** Files that are received now. */
    let arriving = 0
    const account = accounts(most)

    const expire = Effect.fnUntraced(function* (entry: Entry<A>): Effect.fn.Return<void> {
      while (entry.until !== null && !entry.gone) {
        const now = yield* Clock.currentTimeMillis
        if (entry.until <= now && entry.users === 0) yield* drop(entry)
        else yield* Effect.sleep(entry.until > now ? entry.until - now : entry.keptFor)
      }
    })

    const drop = (entry: Entry<A>): Effect.Effect<void> =>
      Effect.suspend(() => {
        entries.delete(entry.held.id)
        if (!entry.gone) removed(entry.held)
        entry.gone = true
        return entry.users === 0 ? Scope.close(entry.scope, Exit.void) : Effect.void
      })

    /** Receives a file in a new scope, which is closed when anything goes wrong. */
    const kept = Effect.fnUntraced(function* (
      given: string,
      owner: string,
      stays: boolean,
      write: Write
    ): Effect.fn.Return<Held<A>, Refused.Refused> {
      const name = plain(given)
      const by = yield* readerOf(readers, name)
      if (entries.size + arriving >= bounds.files) return yield* full()
      arriving += 1
      const scope = yield* Scope.fork(home, { _tag: "Sequential" })
      return yield* Effect.gen(function* () {
        const fileScope = yield* Scope.fork(scope, { _tag: "Sequential" })
        const room = yield* Scope.extend(account, fileScope)
        const file = yield* Effect.mapError(Scope.extend(Spools.file(folder), fileScope), Refused.ofService)
        const hash = createHash("sha256")
        const hashed = (bytes: Uint8Array) => {
          hash.update(bytes)
          return file.write(bytes)
        }
        yield* Effect.scoped(write({ ...file, write: hashed }, room))
        if (file.length() === 0) return yield* Refused.make("EmptyFile", `${show(name)} is empty.`)
        const upload: Upload = {
          id: randomBytes(16).toString("hex"),
          name,
          by,
          owner,
          content: { length: file.length(), slice: file.slice },
          hash: hash.digest("hex")
        }
        const attached = yield* attach(upload)
        const now = yield* Clock.currentTimeMillis
        const held: Held<A> = {
          ...upload,
          attached,
          until: () => entry.until,
          shorten: (millis) =>
            Effect.flatMap(Clock.currentTimeMillis, (at) => {
              entry.keptFor = Math.min(entry.keptFor, millis)
              entry.until = Math.min(entry.until ?? Number.POSITIVE_INFINITY, at + entry.keptFor)
              return Effect.forkIn(expire(entry), home)
            }),
          discard: () => {
            entry.discarded = true
          }
        }
        const entry: Entry<A> = {
          held,
          scope,
          users: 0,
          keptFor: bounds.keptFor,
          until: stays ? null : now + bounds.keptFor,
          gone: false,
          discarded: false,
          free: Scope.close(fileScope, Exit.void)
        }
        entries.set(upload.id, entry)
        yield* Effect.forkIn(expire(entry), home)
        return held
      }).pipe(
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit))),
        Effect.ensuring(Effect.sync(() => void (arriving -= 1)))
      )
    })

    const find = (id: string, owner: string): Effect.Effect<Entry<A>, Refused.Refused> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const entry = entries.get(id)
        if (entry === undefined || entry.held.owner !== owner) return Refused.noSuchDocument()
        return entry.until !== null && entry.until <= now && entry.users === 0
          ? Effect.zipRight(drop(entry), Refused.noSuchDocument())
          : Effect.succeed(entry)
      })

    const touch = (entry: Entry<A>): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (entry.until !== null) entry.until = now + entry.keptFor
      })

    return {
      receive: (request, name, owner) => kept(name, owner, false, receiving(request, plain(name), idleTimeout)),
      put: (name, bytes, owner, stays) =>
        kept(name, owner, stays, (file, { grow }) => {
          if (bytes.length > Limits.uploadBytes) return tooLarge(plain(name))
          return grow(bytes.length) ? Effect.mapError(file.write(bytes), Refused.ofService) : full()
        }),
      use: (id, owner, work) =>
        Effect.uninterruptibleMask(
          Effect.fnUntraced(function* (restore) {
            const entry = yield* find(id, owner)
            entry.users += 1
            return yield* Effect.ensuring(
              restore(work(entry.held)),
              Effect.suspend(() => {
                entry.users -= 1
                if (entry.users > 0) return Effect.void
                if (entry.gone) return Scope.close(entry.scope, Exit.void)
                return Effect.zipRight(entry.discarded ? entry.free : Effect.void, touch(entry))
              })
            )
          })
        ),
      remove: (id, owner) => Effect.flatMap(find(id, owner), drop),
      staying: () => [...entries.values()].filter(({ until }) => until === null).map(({ held }) => held)
    }
  })
