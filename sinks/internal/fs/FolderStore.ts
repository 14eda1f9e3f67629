/** The filesystem sink: one Markdown file for each chunk, in a folder for each document. */
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { DocumentChunks } from "docsluice/ChunkSink"
import type { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import type { DocumentId } from "docsluice/SourceFile"
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
} from "../shared/Durable.ts"
import * as FrontMatter from "./FrontMatter.ts"
import * as Manifest from "./Manifest.ts"
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

/** A folder that is open for this process alone. Calls come one after another. */
export interface FolderStore {
  readonly documents: Tree.Documents
  readonly write: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, PlatformError>
  /** Each document once; all of them are written in one step, noted in another, and moved into place in a third. */
  readonly replace: (documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, PlatformError>
  readonly remove: (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, PlatformError>
  readonly read: (documentId: DocumentId) => Effect.Effect<ReadonlyArray<Tree.Stored>, PlatformError>
  /** Brings `manifest.json` up to date and forgets the journal. */
  readonly settle: Effect.Effect<void, PlatformError>
}

/** A line of the journal: the changes of one call. */
const BatchText = Schema.parseJson(Schema.Struct({ changes: Schema.Array(Tree.Change) }))

/** The documents by manifest and journal, or by the files when there is no manifest; and the last changes in the journal. */
const known = (fs: FileSystem, path: Path, places: Places, manifest: Manifest.Manifest | null) =>
  Effect.gen(function* () {
    const documents = Tree.none()
    const found = manifest ?? (yield* Tree.survey(fs, path, places.root, Infinity))
    for (const [documentId, held] of found.documents) Tree.set(documents, documentId, held)
    const text = Option.getOrElse(yield* readIfThere(fs, places.journal), () => "")
    let last: ReadonlyArray<Tree.Change> = []
    for (const line of text.split("\n")) {
      const batch = Option.getOrNull(Schema.decodeOption(BatchText)(line))
      if (batch === null) continue
      for (const { bytes = null, documentId, folder, ids } of batch.changes) {
        Tree.set(documents, documentId, { folder, ids, bytes })
      }
      last = batch.changes
    }
    return { documents, last }
  })

/** Opens the folder by its manifest or by its files, and completes the changes that a killed run had begun. */
export const open = (
  fs: FileSystem,
  path: Path,
  places: Places,
  stamp: string,
  manifest: Manifest.Manifest | null
): Effect.Effect<FolderStore, PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const { documents, last } = yield* known(fs, path, places, manifest)
    yield* Tree.settleAll(fs, path, places.root, places.work, last)
    const store = yield* make(fs, path, places, stamp, documents)
    yield* store.settle
    return store
  })

/** Opens the folder for `documents` and `read` only: creates, completes and locks nothing. */
export const look = (
  fs: FileSystem,
  path: Path,
  places: Places,
  manifest: Manifest.Manifest | null
): Effect.Effect<FolderStore, PlatformError, Scope.Scope> =>
  Effect.flatMap(known(fs, path, places, manifest), ({ documents }) => make(fs, path, places, "{}", documents))

/** The intended content of a document. */
interface Wanted {
  readonly documentId: DocumentId
  readonly stored: ReadonlyArray<Tree.Stored>
  /** In order. */
  readonly chunks: ReadonlyArray<DocumentChunk>
}

const make = (
  fs: FileSystem,
  path: Path,
  places: Places,
  stamp: string,
  documents: Tree.Documents
): Effect.Effect<FolderStore, never, Scope.Scope> =>
  Effect.gen(function* () {
    const journal = yield* ScopedRef.make<AppendFile | null>(() => null)
    let stages = 0
    let changed = true
    /** The changes noted last, until they are in place. */
    let pending: ReadonlyArray<Tree.Change> = []

    const settled = Effect.suspend(() =>
      pending.length === 0
        ? Effect.void
        : Effect.map(Tree.settleAll(fs, path, places.root, places.work, pending), () => {
            pending = []
          })
    )
    const note = (changes: ReadonlyArray<Tree.Change>) =>
      Effect.gen(function* () {
        if ((yield* ScopedRef.get(journal)) === null) {
          yield* writeDurably(fs, places.journal, new Uint8Array(0))
          yield* syncFolder(fs, places.work)
          yield* ScopedRef.set(journal, openAppend(fs, places.journal, 0))
        }
        const file = yield* ScopedRef.get(journal)
        if (file !== null) yield* file.append(new TextEncoder().encode(`${JSON.stringify({ changes })}\n`))
      })

    const read = (documentId: DocumentId) => {
      const there = documents.folders.get(documentId)
      return there === undefined ? Effect.succeed([]) : Tree.read(fs, path, places.root, there.folder)
    }

    /** The change that makes the document consist of these chunks, given in order; null when it already does. */
    const changeTo = ({ chunks, documentId, stored }: Wanted, stage: string) => {
      const names = Tree.namesFor(chunks)
      const there = new Map(stored.map(({ name, text }) => [name, text]))
      const files = chunks.map((chunk, at) => ({ name: names[at] ?? "", text: FrontMatter.print(chunk) }))
      const fresh = files.filter(({ name, text }) => there.get(name) !== text)
      const known = documents.folders.get(documentId)?.ids ?? []
      const same = known.length === chunks.length && chunks.every(({ id }, at) => known[at] === id)
      if (same && fresh.length === 0 && there.size === files.length) return null
      const ids = chunks.map(({ id }) => id)
      const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
      const change: Tree.Change = { documentId, folder: Tree.folderOf(documents, documentId), ids, bytes, names, stage }
      return { change, fresh }
    }

    const become = (wanted: ReadonlyArray<Wanted>) =>
      Effect.gen(function* () {
        // The next open ends the last line of the journal only.
        yield* settled
        const batch = `stage-${stages++}`
        const steps: Array<{ readonly change: Tree.Change; readonly fresh: ReadonlyArray<Tree.FreshFile> }> = []
        const before = wanted.map(({ documentId }) => ({ documentId, is: documents.folders.get(documentId) }))
        for (const [at, one] of wanted.entries()) {
          const step = changeTo(one, `${batch}/${at}`)
          if (step === null) continue
          steps.push(step)
          const { bytes = null, folder, ids } = step.change
          Tree.set(documents, one.documentId, { folder, ids, bytes })
        }
        if (steps.length === 0) return
        changed = true
        const changes = steps.map(({ change }) => change)
        const staged = steps.map(({ change, fresh }) => ({ folder: path.join(places.work, change.stage), fresh }))
        yield* Tree.stage(fs, path, path.join(places.work, batch), staged).pipe(
          Effect.zipRight(note(changes)),
          Effect.onError(() =>
            Effect.sync(() => {
              for (const { documentId, is } of before) Tree.set(documents, documentId, is ?? nothing)
            })
          )
        )
        pending = changes
        yield* settled
        yield* fs.remove(path.join(places.work, batch), { recursive: true, force: true })
      }).pipe(Effect.uninterruptible)

    /** All of them, as they are now. */
    const stored = (documentIds: Iterable<DocumentId>) =>
      Effect.forEach(documentIds, (documentId) => Effect.map(read(documentId), (now) => ({ documentId, now })))

    return {
      documents,
      read,
      write: (chunks) =>
        Effect.suspend(() => {
          const documents = grouped(chunks)
          return Effect.flatMap(stored(documents.keys()), (all) =>
            become(
              all.map(({ documentId, now }) => {
                const fresh = documents.get(documentId) ?? []
                const later = new Set(fresh.map(({ id }) => id))
                const kept = now.filter(({ chunk }) => !later.has(chunk.id)).map(({ chunk }) => chunk)
                return { documentId, stored: now, chunks: inOrder([...kept, ...fresh]) }
              })
            )
          )
        }),
      replace: (wanted) =>
        Effect.flatMap(
          Effect.forEach(wanted, ({ chunks, documentId }) =>
            Effect.map(read(documentId), (now) => ({
              documentId,
              stored: now,
              chunks: inOrder(grouped(chunks).get(documentId) ?? [])
            }))
          ),
          become
        ),
      remove: (ids) =>
        Effect.suspend(() => {
          const gone = owners(documents, ids)
          return Effect.flatMap(stored(gone.keys()), (all) =>
            become(
              all.map(({ documentId, now }) => ({
                documentId,
                stored: now,
                chunks: now
                  .filter(({ chunk }) => gone.get(documentId)?.has(chunk.id) !== true)
                  .map(({ chunk }) => chunk)
              }))
            )
          )
        }),
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

/**
 * Replaces the manifest before it deletes the journal and work files that no change needs: replaying a journal that the manifest
 * already includes changes nothing.
 */
const settleManifest = (
  fs: FileSystem,
  path: Path,
  places: Places,
  stamp: string,
  documents: Tree.Documents,
  journal: ScopedRef.ScopedRef<AppendFile | null>
): Effect.Effect<void, PlatformError> =>
  Effect.gen(function* () {
    yield* replaceFile(fs, {
      folder: places.root,
      path: places.manifest,
      text: Manifest.print(stamp, documents),
      like: places.manifest
    })
    yield* ScopedRef.set(journal, Effect.succeed(null))
    yield* removeIfThere(fs, places.journal)
    for (const name of yield* Tree.namesIn(fs, places.work)) {
      if (name.startsWith("stage-")) yield* fs.remove(path.join(places.work, name), { recursive: true, force: true })
    }
  })

const nothing: Tree.Held = { folder: "", ids: [], bytes: null }

/** True when a journal exists, or a document's folder differs from the manifest in the number or size of its files. */
export const differs = (
  fs: FileSystem,
  path: Path,
  { journal, root }: Places,
  manifest: Manifest.Manifest
): Effect.Effect<boolean, PlatformError> =>
  Effect.gen(function* () {
    if (yield* fs.exists(journal)) return true
    for (const { bytes, folder, ids } of manifest.documents.values()) {
      const held = yield* Tree.measure(fs, path, root, folder)
      if (held.files !== ids.length || (bytes !== null && held.bytes !== bytes)) return true
    }
    return false
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
