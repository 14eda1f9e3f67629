/** The filesystem sink: one Markdown file for each chunk, in a folder for each document. */
import type { PlatformError } from "@effect/platform/Error"
import type { DocumentChunks } from "docsluice/ChunkSink"
import type { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import type { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Durable from "../shared/Durable.ts"
import * as FrontMatter from "./FrontMatter.ts"
import * as Manifest from "./Manifest.ts"
import * as Tree from "./Tree.ts"

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
const known = Effect.fnUntraced(function* (places: Tree.Places, manifest: Manifest.Manifest | null) {
  const documents = Tree.none()
  const found = manifest ?? (yield* Tree.survey(places, Infinity))
  for (const [documentId, held] of found.documents) Tree.set(documents, documentId, held)
  const text = (yield* Durable.readIfThere(places.fs, places.journal)) ?? ""
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
export const open = Effect.fnUntraced(function* (
  places: Tree.Places,
  stamp: string,
  manifest: Manifest.Manifest | null
): Effect.fn.Return<FolderStore, PlatformError, Scope.Scope> {
  const { documents, last } = yield* known(places, manifest)
  yield* Tree.settleAll(places, last)
  const store = yield* make(places, stamp, documents)
  yield* store.settle
  return store
})

/** Opens the folder for `documents` and `read` only: creates, completes and locks nothing. */
export const look = (
  places: Tree.Places,
  manifest: Manifest.Manifest | null
): Effect.Effect<FolderStore, PlatformError, Scope.Scope> =>
  Effect.flatMap(known(places, manifest), ({ documents }) => make(places, "{}", documents))

/** The present and the wanted chunks of a document, both in order. */
interface Wanted {
  readonly documentId: DocumentId
  readonly stored: ReadonlyArray<Tree.Stored>
  readonly chunks: ReadonlyArray<DocumentChunk>
}

/** A change, and the files that it brings. */
interface Step {
  readonly change: Tree.Change
  readonly fresh: ReadonlyArray<Tree.FreshFile>
}

/** The step that makes the document consist of the chunks wanted; null when it already does. */
const stepTo = (documents: Tree.Documents, { chunks, documentId, stored }: Wanted, stage: string): Step | null => {
  const names = Tree.namesFor(chunks)
  const there = new Map(stored.map(({ name, text }) => [name, text]))
  const files = chunks.map((chunk, at) => ({ name: names[at] ?? "", text: FrontMatter.print(chunk) }))
  const fresh = files.filter(({ name, text }) => there.get(name) !== text)
  const held = documents.folders.get(documentId)?.ids ?? []
  const same = held.length === chunks.length && chunks.every(({ id }, at) => held[at] === id)
  if (same && fresh.length === 0 && there.size === files.length) return null
  const ids = chunks.map(({ id }) => id)
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return { change: { documentId, folder: Tree.folderOf(documents, documentId), ids, bytes, names, stage }, fresh }
}

/** Long, since all its calls share what is known of the folder, and each step must see what the one before left. */
const make = Effect.fnUntraced(function* (
  places: Tree.Places,
  stamp: string,
  documents: Tree.Documents
): Effect.fn.Return<FolderStore, never, Scope.Scope> {
  const { fs, path, work } = places
  const journal = yield* Durable.journal(fs, { folder: work, path: places.journal })
  let stages = 0
  let changed = true
  /** The changes noted last, until they are in place. */
  let pending: ReadonlyArray<Tree.Change> = []

  const settled = Effect.suspend(() =>
    pending.length === 0
      ? Effect.void
      : Effect.map(Tree.settleAll(places, pending), () => {
          pending = []
        })
  )
  const read = (documentId: DocumentId) => {
    const there = documents.folders.get(documentId)
    return there === undefined ? Effect.succeed([]) : Tree.read(places, there.folder)
  }

  const become = (wanted: ReadonlyArray<Wanted>) =>
    Effect.gen(function* () {
      // The next open ends the last line of the journal only.
      yield* settled
      const batch = `stage-${stages++}`
      const before = wanted.map(({ documentId }) => ({ documentId, is: documents.folders.get(documentId) }))
      const steps = wanted.flatMap((one, at) => {
        const step = stepTo(documents, one, `${batch}/${at}`)
        if (step === null) return []
        const { bytes = null, folder, ids } = step.change
        Tree.set(documents, one.documentId, { folder, ids, bytes })
        return [step]
      })
      if (steps.length === 0) return
      changed = true
      const changes = steps.map(({ change }) => change)
      const staged = steps.map(({ change, fresh }) => ({ folder: path.join(work, change.stage), fresh }))
      yield* Tree.stage(places, path.join(work, batch), staged).pipe(
        Effect.zipRight(journal.note(new TextEncoder().encode(`${JSON.stringify({ changes })}\n`))),
        Effect.onError(() =>
          Effect.sync(() => {
            for (const { documentId, is } of before) Tree.set(documents, documentId, is ?? nothing)
          })
        )
      )
      pending = changes
      yield* settled
      yield* fs.remove(path.join(work, batch), { recursive: true, force: true })
    }).pipe(Effect.uninterruptible)

  /** Sets the chunks of documents by what is stored of each now. */
  const change = (
    documentIds: Iterable<DocumentId>,
    wanted: (documentId: DocumentId, stored: ReadonlyArray<DocumentChunk>) => ReadonlyArray<DocumentChunk>
  ) =>
    Effect.flatMap(
      Effect.forEach(documentIds, (documentId) =>
        Effect.map(read(documentId), (stored) => {
          const chunks = wanted(
            documentId,
            stored.map(({ chunk }) => chunk)
          )
          return { documentId, stored, chunks }
        })
      ),
      become
    )

  return {
    documents,
    read,
    write: (chunks) =>
      Effect.suspend(() => {
        const written = grouped(chunks)
        return change(written.keys(), (documentId, stored) => {
          const fresh = written.get(documentId) ?? []
          const later = new Set(fresh.map(({ id }) => id))
          return inOrder([...stored.filter(({ id }) => !later.has(id)), ...fresh])
        })
      }),
    replace: (wanted) =>
      Effect.suspend(() => {
        const chunks = new Map(wanted.map((one) => [one.documentId, one.chunks]))
        return change(chunks.keys(), (documentId) =>
          inOrder(grouped(chunks.get(documentId) ?? []).get(documentId) ?? [])
        )
      }),
    remove: (ids) =>
      Effect.suspend(() => {
        const gone = owners(documents, ids)
        return change(gone.keys(), (documentId, stored) =>
          stored.filter(({ id }) => gone.get(documentId)?.has(id) !== true)
        )
      }),
    settle: Effect.suspend(() =>
      changed
        ? Effect.zipRight(settled, settleManifest(places, Manifest.print(stamp, documents), journal))
        : Effect.void
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
const settleManifest = Effect.fnUntraced(function* (
  { fs, manifest, path, root, work }: Tree.Places,
  text: string,
  journal: Durable.Journal
) {
  yield* Durable.replaceFile(fs, { folder: root, path: manifest, text, like: manifest })
  yield* journal.remove
  for (const name of yield* Tree.namesIn(fs, work)) {
    if (name.startsWith("stage-")) yield* fs.remove(path.join(work, name), { recursive: true, force: true })
  }
})

const nothing: Tree.Held = { folder: "", ids: [], bytes: null }

/** True when a journal exists, or a document's folder differs from the manifest in the number or size of its files. */
export const differs = Effect.fnUntraced(function* (
  places: Tree.Places,
  manifest: Manifest.Manifest
): Effect.fn.Return<boolean, PlatformError> {
  if (yield* places.fs.exists(places.journal)) return true
  for (const { bytes, folder, ids } of manifest.documents.values()) {
    const held = yield* Tree.measure(places, folder)
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
