import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as ScopedRef from "effect/ScopedRef"
import {
  type AppendFile,
  openAppend,
  readIfThere,
  removeIfThere,
  replaceFile,
  syncFolder,
  writeDurably
} from "./Durable.ts"
import * as FrontMatter from "./FrontMatter.ts"
import { Stamp } from "./Stamp.ts"
import * as Tree from "./Tree.ts"

/** The store's own paths. */
export interface Places {
  readonly root: string
  readonly manifest: string
  /** Journal, lock and files on their way; empty but for the lock when all is in order. */
  readonly work: string
  readonly journal: string
  readonly lock: string
}

/** `manifest.json`. */
export const Manifest = Schema.Struct({
  ...Stamp.fields,
  /** Ids of each document's chunks, in the order of its files. */
  documents: Schema.Record({ key: Schema.String, value: Schema.Array(ChunkId) }),
  /** Folders of the documents whose plain name another document has where case is ignored. */
  folders: Schema.Record({ key: Schema.String, value: Schema.String })
})
export type Manifest = typeof Manifest.Type

/** A folder that is open for this process alone. Calls come one after another. */
export interface FolderStore {
  readonly documents: Tree.Documents
  readonly write: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, PlatformError>
  readonly replace: (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, PlatformError>
  readonly remove: (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, PlatformError>
  readonly read: (documentId: DocumentId) => Effect.Effect<ReadonlyArray<Tree.Stored>, PlatformError>
  /** Brings `manifest.json` up to date and forgets the journal. */
  readonly settle: Effect.Effect<void, PlatformError>
}

const ChangeText = Schema.parseJson(Tree.Change)
const decodeDocumentId = Schema.decodeSync(DocumentId)

/** Opens the folder with its manifest, and ends what a killed run had begun. */
export const open = (
  fs: FileSystem,
  path: Path,
  places: Places,
  stamp: Stamp,
  manifest: Manifest | null
): Effect.Effect<FolderStore, PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const documents = Tree.none()
    for (const [name, ids] of Object.entries(manifest?.documents ?? {})) {
      if (name === "") continue
      const documentId = decodeDocumentId(name)
      Tree.set(documents, documentId, manifest?.folders[name] ?? Tree.folderOf(documents, documentId), ids)
    }
    const text = Option.getOrElse(yield* readIfThere(fs, places.journal), () => "")
    let last: Tree.Change | null = null
    for (const line of text.split("\n")) {
      const change = Option.getOrNull(Schema.decodeOption(ChangeText)(line))
      if (change === null) continue
      Tree.set(documents, change.documentId, change.folder, change.ids)
      last = change
    }
    if (last !== null) yield* Tree.settle(fs, path, places.root, places.work, last)
    const store = yield* make(fs, path, places, stamp, documents)
    yield* store.settle
    return store
  })

const make = (
  fs: FileSystem,
  path: Path,
  places: Places,
  stamp: Stamp,
  documents: Tree.Documents
): Effect.Effect<FolderStore, never, Scope.Scope> =>
  Effect.gen(function* () {
    const journal = yield* ScopedRef.make<AppendFile | null>(() => null)
    let stages = 0
    let changed = true
    /** The last change that was noted, while it is not in place. */
    let pending: Tree.Change | null = null

    const settled = Effect.suspend(() =>
      pending === null
        ? Effect.void
        : Effect.map(Tree.settle(fs, path, places.root, places.work, pending), () => {
            pending = null
          })
    )

    const note = (change: Tree.Change) =>
      Effect.gen(function* () {
        if ((yield* ScopedRef.get(journal)) === null) {
          yield* writeDurably(fs, places.journal, new Uint8Array(0))
          yield* syncFolder(fs, places.work)
          yield* ScopedRef.set(journal, openAppend(fs, places.journal, 0))
        }
        const file = yield* ScopedRef.get(journal)
        if (file !== null) yield* file.append(new TextEncoder().encode(`${JSON.stringify(change)}\n`))
      })

    const read = (documentId: DocumentId) => {
      const there = documents.folders.get(documentId)
      return there === undefined ? Effect.succeed([]) : Tree.read(fs, path, places.root, there.folder)
    }

    /** The document becomes these chunks, given in order; nothing happens when it is that already. */
    const become = (documentId: DocumentId, stored: ReadonlyArray<Tree.Stored>, chunks: ReadonlyArray<DocumentChunk>) =>
      Effect.gen(function* () {
        // The next open ends the last change of the journal only.
        yield* settled
        const names = Tree.namesFor(chunks)
        const there = new Map(stored.map(({ name, text }) => [name, text]))
        const files = chunks.map((chunk, at) => ({ name: names[at] ?? "", text: FrontMatter.print(chunk) }))
        const fresh = files.filter(({ name, text }) => there.get(name) !== text)
        const known = documents.folders.get(documentId)?.ids ?? []
        const same = known.length === chunks.length && chunks.every(({ id }, at) => known[at] === id)
        if (same && fresh.length === 0 && there.size === files.length) return
        const change: Tree.Change = {
          documentId,
          folder: Tree.folderOf(documents, documentId),
          ids: chunks.map(({ id }) => id),
          names,
          stage: `stage-${stages++}`
        }
        changed = true
        if (fresh.length > 0) yield* Tree.stage(fs, path, path.join(places.work, change.stage), fresh)
        yield* note(change)
        Tree.set(documents, documentId, change.folder, change.ids)
        pending = change
        yield* settled
      }).pipe(Effect.uninterruptible)

    return {
      documents,
      read,
      write: (chunks) =>
        Effect.forEach(
          grouped(chunks),
          ([documentId, fresh]) =>
            Effect.flatMap(read(documentId), (stored) => {
              const later = new Set(fresh.map(({ id }) => id))
              const kept = stored.filter(({ chunk }) => !later.has(chunk.id)).map(({ chunk }) => chunk)
              return become(documentId, stored, inOrder([...kept, ...fresh]))
            }),
          { discard: true }
        ),
      replace: (documentId, chunks) =>
        Effect.flatMap(read(documentId), (stored) =>
          become(documentId, stored, inOrder(grouped(chunks).get(documentId) ?? []))
        ),
      remove: (ids) =>
        Effect.forEach(
          owners(documents, ids),
          ([documentId, gone]) =>
            Effect.flatMap(read(documentId), (stored) =>
              become(
                documentId,
                stored,
                stored.filter(({ chunk }) => !gone.has(chunk.id)).map(({ chunk }) => chunk)
              )
            ),
          { discard: true }
        ),
      settle: Effect.suspend(() =>
        changed ? Effect.zipRight(settled, settleManifest(fs, path, places, stamp, documents, journal)) : Effect.void
      ).pipe(
        Effect.tap(() => {
          changed = false
        }),
        Effect.uninterruptible
      )
    }
  })

/** The manifest takes its place before the journal and what no change in it waits for go: replaying a journal that it already knows changes nothing. */
const settleManifest = (
  fs: FileSystem,
  path: Path,
  places: Places,
  stamp: Stamp,
  documents: Tree.Documents,
  journal: ScopedRef.ScopedRef<AppendFile | null>
): Effect.Effect<void, PlatformError> =>
  Effect.gen(function* () {
    const entries = [...documents.folders]
    const bare = Tree.none()
    const manifest: Manifest = {
      ...stamp,
      documents: Object.fromEntries(entries.map(([documentId, { ids }]) => [documentId, ids])),
      folders: Object.fromEntries(
        entries
          .filter(([documentId, { folder }]) => folder !== Tree.folderOf(bare, documentId))
          .map(([documentId, { folder }]) => [documentId, folder])
      )
    }
    yield* replaceFile(fs, places.root, places.manifest, `${JSON.stringify(manifest, null, 1)}\n`)
    yield* ScopedRef.set(journal, Effect.succeed(null))
    yield* removeIfThere(fs, places.journal)
    for (const name of yield* Tree.namesIn(fs, places.work)) {
      if (name.startsWith("stage-")) yield* fs.remove(path.join(places.work, name), { recursive: true, force: true })
    }
  })

const inOrder = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<DocumentChunk> =>
  chunks.toSorted((left, right) => left.index - right.index)

/** By document; where an id comes twice, the later chunk counts. */
const grouped = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyMap<DocumentId, ReadonlyArray<DocumentChunk>> => {
  const documents = new Map<DocumentId, Map<ChunkId, DocumentChunk>>()
  for (const chunk of chunks) {
    const document = documents.get(chunk.documentId) ?? new Map<ChunkId, DocumentChunk>()
    document.delete(chunk.id)
    document.set(chunk.id, chunk)
    documents.set(chunk.documentId, document)
  }
  return new Map([...documents].map(([documentId, document]) => [documentId, [...document.values()]]))
}

const owners = (
  documents: Tree.Documents,
  ids: ReadonlyArray<ChunkId>
): ReadonlyMap<DocumentId, ReadonlySet<ChunkId>> => {
  const all = new Map<DocumentId, Set<ChunkId>>()
  for (const id of ids) {
    const documentId = documents.owners.get(id)
    if (documentId === undefined) continue
    const document = all.get(documentId) ?? new Set<ChunkId>()
    all.set(documentId, document.add(id))
  }
  return all
}
