import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { Listed } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  ifThere,
  keepMode,
  privateFolder,
  readIfThere,
  removeIfThere,
  syncFolder,
  writeDurably
} from "../shared/Durable.ts"
import * as FrontMatter from "./FrontMatter.ts"
import * as SafeName from "./SafeName.ts"

/** The store's own paths, and the file system that they are on. */
export interface Places {
  readonly fs: FileSystem
  readonly path: Path
  readonly root: string
  readonly manifest: string
  /** Journal, lock and files on their way; empty but for the lock when all is in order. */
  readonly work: string
  readonly journal: string
  readonly lock: string
}

/** The intended content of a document's folder, noted before it changes so that a killed change can be completed. */
export const Change = Schema.Struct({
  documentId: DocumentId,
  /** Below the store's folder. */
  folder: Schema.String,
  ids: Schema.Array(ChunkId),
  /** Bytes of the chunks' files together. */
  bytes: Schema.optional(Schema.NonNegativeInt),
  /** Names of the chunks' files, in the order of `ids`. */
  names: Schema.Array(Schema.String),
  /** Path of the folder with the new files, below the work folder. */
  stage: Schema.String
})
export type Change = typeof Change.Type

/** Number of files or folders processed at a time, so that waits for the disk overlap. */
const atOnce = 8

/** The files of a document in the store. */
export interface Held {
  /** Below the store's folder. */
  readonly folder: string
  readonly ids: ReadonlyArray<ChunkId>
  /** Bytes of all its files together; null when not counted. */
  readonly bytes: number | null
}

/** The documents in the store, without their texts. */
export interface Documents {
  readonly folders: Map<DocumentId, Held>
  readonly owners: Map<ChunkId, DocumentId>
  /** By folded folder. */
  readonly taken: Map<string, DocumentId>
}

export const none = (): Documents => ({ folders: new Map(), owners: new Map(), taken: new Map() })

/** Sets the document's chunks; a document without chunks is deleted from the map. */
export const set = (documents: Documents, documentId: DocumentId, held: Held): void => {
  const { folder, ids } = held
  const before = documents.folders.get(documentId)
  for (const id of before?.ids ?? []) documents.owners.delete(id)
  if (before) documents.taken.delete(SafeName.folded(before.folder))
  documents.folders.delete(documentId)
  if (ids.length === 0) return
  documents.folders.set(documentId, held)
  documents.taken.set(SafeName.folded(folder), documentId)
  for (const id of ids) documents.owners.set(id, documentId)
}

/** Folder of a document, present or not: its plain name, unless another document has that name when case is ignored. */
export const folderOf = (documents: Documents, documentId: DocumentId): string => {
  const known = documents.folders.get(documentId)?.folder
  if (known !== undefined) return known
  const names = [SafeName.encode(documentId), SafeName.encodeCase(documentId)]
  return names.find((name) => !documents.taken.has(SafeName.folded(name))) ?? SafeName.encodeLetters(documentId)
}

/** Content of a folder without a manifest. */
export interface Survey {
  readonly chunks: ReadonlyArray<Listed>
  readonly documents: ReadonlyMap<DocumentId, Held>
  /** Path of a file that is no chunk's; null where none was met. */
  readonly stranger: string | null
}

/** Reads the first chunks below a folder, `most` of them. A chunk's file that is empty is passed over. */
export const survey = ({ fs, path, root }: Places, most: number): Effect.Effect<Survey, PlatformError> =>
  Effect.gen(function* () {
    const chunks: Array<Listed> = []
    const documents = new Map<DocumentId, Held>()
    const waiting: Array<string> = [""]
    for (let folder = waiting.pop(); folder !== undefined && chunks.length < most; folder = waiting.pop()) {
      for (const name of yield* fs.readDirectory(path.join(root, folder))) {
        if (folder === "" && (name === ".docsluice-fs" || name === "manifest.json.tmp")) continue
        const below = folder === "" ? name : `${folder}/${name}`
        const { size, type } = yield* fs.stat(path.join(root, below))
        if (type === "Directory") {
          waiting.push(below)
          continue
        }
        if (SafeName.isChunkFile(name) && Number(size) === 0) continue
        const text = SafeName.isChunkFile(name) ? yield* fs.readFileString(path.join(root, below)) : ""
        const chunk = Option.getOrNull(FrontMatter.parse(text))
        if (chunk === null) return { chunks, documents, stranger: below }
        chunks.push({ documentId: chunk.documentId, id: chunk.id })
        const ids = documents.get(chunk.documentId)?.ids ?? []
        documents.set(chunk.documentId, { folder, ids: [...ids, chunk.id], bytes: null })
      }
    }
    return { chunks, documents, stranger: null }
  })

/** A chunk's file as it is now. */
export interface Stored {
  readonly chunk: DocumentChunk
  readonly name: string
  readonly text: string
}

/** The chunks in a document's folder, in order; a file that is no chunk is left out. */
export const read = Effect.fnUntraced(function* (
  { fs, path, root }: Places,
  folder: string
): Effect.fn.Return<ReadonlyArray<Stored>, PlatformError> {
  const stored: Array<Stored> = []
  for (const name of yield* chunkFiles(fs, path.join(root, folder))) {
    const text = (yield* readIfThere(fs, path.join(root, folder, name))) ?? ""
    const chunk = FrontMatter.parse(text)
    if (Option.isSome(chunk)) stored.push({ chunk: chunk.value, name, text })
  }
  return stored.toSorted((left, right) => left.chunk.index - right.chunk.index || order(left.name, right.name))
})

const order = (left: string, right: string): number => left.length - right.length || (left < right ? -1 : 1)

const chunkFiles = (fs: FileSystem, folder: string): Effect.Effect<ReadonlyArray<string>, PlatformError> =>
  Effect.map(namesIn(fs, folder), (names) => names.filter(SafeName.isChunkFile))

/** Number and bytes of the chunks' files in a document's folder. */
export const measure = Effect.fnUntraced(function* ({ fs, path, root }: Places, folder: string) {
  const names = yield* chunkFiles(fs, path.join(root, folder))
  const infos = yield* Effect.forEach(names, (name) => fs.stat(path.join(root, folder, name)), {
    concurrency: atOnce
  })
  return { files: names.length, bytes: infos.reduce((sum, { size }) => sum + Number(size), 0) }
})

/** Names in a folder; empty when it is missing. */
export const namesIn = (fs: FileSystem, folder: string): Effect.Effect<ReadonlyArray<string>, PlatformError> =>
  Effect.map(ifThere(fs.readDirectory(folder)), (names) => names ?? [])

/** Names of the files, one for each chunk: its index, and a number where two generations are there at once. */
export const namesFor = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<string> => {
  const counts = new Map<number, number>()
  return chunks.map(({ index }) => {
    const count = (counts.get(index) ?? 0) + 1
    counts.set(index, count)
    return count === 1 ? `${index}.md` : `${index}~${count}.md`
  })
}

/** A file that is new or has another name. */
export interface FreshFile {
  readonly name: string
  readonly text: string
}

/** Writes the new files of each change to its stage, durably; after a failure nothing is left of them. */
export const stage = (
  { fs, path }: Places,
  batch: string,
  stages: ReadonlyArray<{ readonly folder: string; readonly fresh: ReadonlyArray<FreshFile> }>
): Effect.Effect<void, PlatformError> =>
  Effect.gen(function* () {
    const encoder = new TextEncoder()
    const folders = stages.filter(({ fresh }) => fresh.length > 0)
    const files = folders.flatMap(({ folder, fresh }) =>
      fresh.map(({ name, text }) => ({ file: path.join(folder, name), text }))
    )
    yield* each(folders, ({ folder }) => fs.makeDirectory(folder, { recursive: true, mode: privateFolder }))
    yield* each(files, ({ file, text }) => writeDurably(fs, file, encoder.encode(text)))
    yield* each(folders, ({ folder }) => syncFolder(fs, folder))
  }).pipe(
    // On a full disk the remains of a failed write would take the space of the next one.
    Effect.onError(() => Effect.ignore(fs.remove(batch, { recursive: true, force: true })))
  )

const each = <A, E>(items: ReadonlyArray<A>, step: (item: A) => Effect.Effect<void, E>): Effect.Effect<void, E> =>
  Effect.forEach(items, step, { concurrency: atOnce, discard: true })

/**
 * Applies the changes to the documents' folders; none is named twice. Done twice, or begun and completed later, it comes to
 * the same.
 */
export const settleAll = Effect.fnUntraced(function* (places: Places, changes: ReadonlyArray<Change>) {
  const isEmpty = ({ names }: Change) => names.length === 0
  yield* each(
    changes.filter((change) => !isEmpty(change)),
    (change) => settle(places, change)
  )
  // One by one, and when nothing is put into a folder any more: they take away folders that are empty.
  for (const change of changes.filter(isEmpty)) yield* settle(places, change)
})

const settle = Effect.fnUntraced(function* (places: Places, change: Change) {
  const { fs, path, root, work } = places
  const folder = path.join(root, change.folder)
  const staged = path.join(work, change.stage)
  const fresh = yield* chunkFiles(fs, staged)
  const before = new Set(yield* chunkFiles(fs, folder))
  if (fresh.length > 0) yield* fs.makeDirectory(folder, { recursive: true, mode: privateFolder })
  for (const name of fresh) {
    const [from, to] = [path.join(staged, name), path.join(folder, name)]
    if (before.has(name)) yield* keepMode(fs, from, to)
    yield* fs.rename(from, to)
  }
  const wanted = new Set(change.names)
  for (const name of before) {
    if (!wanted.has(name)) yield* removeIfThere(fs, path.join(folder, name))
  }
  if (change.names.length === 0) yield* prune(places, change.folder)
  else yield* syncFolder(fs, folder)
  yield* fs.remove(staged, { recursive: true, force: true })
})

/** Removes the folder and those above it, below the root, as long as they are empty. */
const prune = Effect.fnUntraced(function* ({ fs, path, root }: Places, folder: string) {
  let at = path.join(root, folder)
  while (at.length > root.length) {
    const left = yield* namesIn(fs, at)
    if (left.length > 0) return
    yield* fs.remove(at, { recursive: true, force: true })
    at = path.dirname(at)
  }
  yield* syncFolder(fs, at)
})
