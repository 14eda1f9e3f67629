/** Drives of services such as Microsoft Graph and Google Drive as stores: a user's access, items by id that are remembered between runs, and their bytes. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import { SeenNames } from "../base/seenNames.ts"
import { brokeOff, readOf } from "../objects/answers.ts"
import { type ObjectEntry, ObjectChanged, type ObjectRead, type ObjectStore } from "../objects/objectStore.ts"
import { beginning } from "../objects/requests.ts"
import * as HeldPages from "../web/heldPages.ts"
import * as Ask from "./ask.ts"
import * as Remembered from "./remembered.ts"
import type { Page, Root, Service } from "./service.ts"
import * as Tokens from "./tokens.ts"
import { filesBelow, type Placed } from "./tree.ts"

/** A file of a drive. */
export interface DriveEntry extends ObjectEntry {
  readonly root: Root
  readonly item: Placed["item"]
  /** An export, which was read to see how large it is. */
  readonly held?: HeldPages.Held | undefined
}

export interface Options {
  /** Address of the root, for messages. */
  readonly address: string
  readonly access: Tokens.Access
  /** Folder of remembered listings. */
  readonly cache: string | undefined
  readonly maxBytes: number
}

/** Files on a page of the listing. */
const pageSize = 256

/** Exports at a time. */
const concurrency = 4

/** Statuses of a service that does not know any more what changed since: everything is listed again. */
const forgotten: ReadonlySet<number | undefined> = new Set([400, 404, 410])

const stalled = "60 seconds"

/** Applies all pages from that address on; gives the address of later changes. */
const applied = (
  source: string,
  { items }: Remembered.Remembered,
  address: string,
  page: (address: string) => Effect.Effect<Page, SourceUnavailable>
): Effect.Effect<string | null, SourceUnavailable> =>
  Effect.gen(function* () {
    const seen = new SeenNames()
    let later: string | null = null
    for (let next: string | null = address; next !== null;) {
      if (!seen.add(next)) {
        const problem = "its listing leads back to an earlier page; run again later"
        return yield* new SourceUnavailable({ source, reason: "Invalid", problem })
      }
      const found: Page = yield* page(next)
      for (const { id, item } of found.changes) {
        if (item === null) items.delete(id)
        else items.set(id, item)
      }
      next = found.next
      later = found.later
    }
    return later
  })

/** The items of the drive as they are now: what is remembered with what changed since, or all that is there. */
const refreshed = (
  service: Service,
  { get }: Ask.Ask,
  source: string,
  root: Root,
  remembered: Remembered.Remembered
): Effect.Effect<Remembered.Remembered, SourceUnavailable> => {
  const page = (address: string) => service.page(get, address)
  const whole = Effect.gen(function* () {
    const fresh = { ...remembered, items: new Map() }
    const { first, later } = yield* service.start(get, root)
    const told = yield* applied(source, fresh, first, page)
    return { ...fresh, later: later ?? told }
  })
  if (remembered.later === null) return whole
  return applied(source, remembered, remembered.later, page).pipe(
    Effect.map((later) => ({ ...remembered, later: later ?? remembered.later })),
    Effect.catchIf(
      ({ status }) => forgotten.has(status),
      () => whole
    )
  )
}

const entryOf = (root: Root, { item, path }: Placed, sizes: Remembered.Remembered["exported"]): DriveEntry => {
  const known = sizes.get(item.id)
  const exported = known?.version === item.file.version ? known.size : null
  return { key: path, size: item.file.size ?? exported ?? 1, etag: item.file.version, root, item }
}

/** A drive of a service, of which nothing is asked yet. */
export const open = (
  service: Service,
  { access, address: source, cache, maxBytes }: Options
): Effect.Effect<ObjectStore<DriveEntry>, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const tokens = yield* Tokens.make(service.provider, access)
    const ask = yield* Ask.make(service, source, tokens)
    const held = yield* HeldPages.make

    /** The listing of the last run of the files, and its file. */
    let listing: { readonly file: string; readonly known: Remembered.Remembered } | undefined
    let isNew = false
    const saved = Effect.suspend(() =>
      isNew && listing !== undefined ? Remembered.save(listing.file, listing.known) : Effect.void
    )

    /** The bytes of an export, which is read now and held until it is wanted; or what the service answers instead. */
    const exported = ({ item, root }: DriveEntry) =>
      Effect.gen(function* () {
        const answer = yield* ask.bytes(service.content(root, item), {})
        if (answer.status !== 200) return answer
        const bytes = answer.stream.pipe(
          Stream.mapError(brokeOff(source)),
          Stream.timeoutFail(brokeOff(source), stalled)
        )
        return yield* held.hold(bytes, maxBytes)
      })

    /** An export has a size once it was read. */
    const measured = (entry: DriveEntry, sizes: Remembered.Remembered["exported"]) =>
      Effect.gen(function* () {
        const { file, id } = entry.item
        const made = yield* exported(entry)
        if ("status" in made) {
          const problem = `it cannot be exported${Ask.words(yield* beginning(made))}`
          return { ...entry, problem: { reason: "Io" as const, problem } }
        }
        sizes.set(id, { id, version: file.version, size: made.size })
        isNew = true
        return { ...entry, size: made.size, held: made }
      })

    const list: ObjectStore<DriveEntry>["list"] = (_, opens) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const root = yield* service.root(ask.get)
          if (!root.isFolder) {
            const problem = "it is no folder; name the folder, and what is wanted of it apart from that"
            return yield* new SourceUnavailable({ source, reason: "Invalid", problem })
          }
          const file = Remembered.fileOf(cache, service.origin, root.drive)
          const known = yield* refreshed(service, ask, source, root, yield* Remembered.load(file))
          yield* Remembered.save(file, known)
          listing = { file, known }
          const { exported: sizes } = known
          const isUnknown = ({ item: { file, id } }: DriveEntry): boolean =>
            file.size === null && sizes.get(id)?.version !== file.version
          const entries = filesBelow(known.items.values(), root.folder).map((one) => entryOf(root, one, sizes))
          const each = (page: ReadonlyArray<DriveEntry>) =>
            Stream.fromIterable(page).pipe(
              Stream.mapEffect(
                (entry) => (isUnknown(entry) && opens(entry) ? measured(entry, sizes) : Effect.succeed(entry)),
                { concurrency }
              ),
              Stream.map((entry) => [entry])
            )
          return Stream.fromIterable(entries).pipe(
            Stream.grouped(pageSize),
            Stream.flatMap((page) => (Chunk.some(page, isUnknown) ? each([...page]) : Stream.succeed([...page]))),
            Stream.onDone(() => saved)
          )
        })
      )

    /** An export that was measured by an earlier run: one of another size is measured again by the next run. */
    const again = (entry: DriveEntry): Effect.Effect<ObjectRead, SourceUnavailable> =>
      Effect.gen(function* () {
        const made = yield* exported(entry)
        if ("status" in made) return yield* readOf(source, entry, 0, made, Ask.words)
        const bytes = made.bytes()
        if (made.size === entry.size && bytes !== undefined) return { _tag: "Bytes", bytes }
        listing?.known.exported.delete(entry.item.id)
        isNew = true
        yield* saved
        return { _tag: "Changed", size: made.size }
      })

    /** Fails at the end of bytes of which the first part may be of another version. */
    const unchanged = ({ item, root }: DriveEntry) =>
      Effect.flatMap(service.look(ask.get, root, item.id), (now) =>
        now.item?.file?.version === item.file.version ? Effect.void : Effect.fail(new ObjectChanged())
      )

    const read = (entry: DriveEntry, start: number): Effect.Effect<ObjectRead, SourceUnavailable> =>
      Effect.gen(function* () {
        const kept = entry.held?.bytes()
        if (kept !== undefined && start === 0) return { _tag: "Bytes", bytes: kept }
        if (entry.item.file.size === null) return yield* start === 0 ? again(entry) : brokeOff(source)()
        const headers = start > 0 ? { range: `bytes=${start}-` } : {}
        const answer = yield* ask.bytes(service.content(entry.root, entry.item), headers)
        const found = yield* readOf(source, entry, start, answer, Ask.words)
        return found._tag === "Bytes" && start > 0
          ? { _tag: "Bytes", bytes: Stream.concat(found.bytes, Stream.drain(Stream.fromEffect(unchanged(entry)))) }
          : found
      })

    return { address: source, list, bytes: { _tag: "Answers", read } }
  })
