/** `manifest.json`: the stamp, and what each document's folder holds. */
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readIfThere } from "../shared/Durable.ts"
import { Members } from "../shared/Stamp.ts"
import * as SafeName from "./SafeName.ts"
import * as Tree from "./Tree.ts"

const Own = Schema.Struct({
  /** Ids of each document's chunks, in the order of its files. */
  documents: Schema.Record({ key: Schema.String, value: Schema.Array(ChunkId) }),
  /** Folders of the documents whose plain name another document has where case is ignored. */
  folders: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** Bytes of each document's files together; absent of an earlier version. */
  bytes: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.NonNegativeInt }))
})

export interface Manifest {
  /** As `ChunkSink` writes it. */
  readonly stamp: string
  readonly documents: ReadonlyMap<DocumentId, Tree.Held>
}

const decodeDocumentId = Schema.decodeSync(DocumentId)

/** Null for a missing file, or one that is not a manifest of this version. */
export const read = (fs: FileSystem, file: string): Effect.Effect<Manifest | null, PlatformError> =>
  Effect.map(readIfThere(fs, file), (text) =>
    Option.getOrNull(Option.flatMap(Schema.decodeOption(Members)(text ?? ""), manifestOf))
  )

const manifestOf = ({ bytes: lengths, documents, folders, ...stamp }: typeof Members.Type): Option.Option<Manifest> =>
  Option.map(Schema.decodeUnknownOption(Own)({ documents, folders, bytes: lengths }), (own) => {
    const all = Tree.none()
    for (const [name, ids] of Object.entries(own.documents)) {
      if (name === "") continue
      const documentId = decodeDocumentId(name)
      const folder = own.folders[name] ?? SafeName.encode(documentId)
      Tree.set(all, documentId, { folder, ids, bytes: own.bytes?.[name] ?? null })
    }
    return { stamp: JSON.stringify(stamp), documents: all.folders }
  })

/** The text of a manifest. */
export const print = (stamp: string, documents: Tree.Documents): string => {
  const entries = [...documents.folders]
  const bare = Tree.none()
  const members = Schema.decodeSync(Members)(stamp)
  const manifest = {
    ...members,
    documents: Object.fromEntries(entries.map(([documentId, { ids }]) => [documentId, ids])),
    folders: Object.fromEntries(
      entries
        .filter(([documentId, { folder }]) => folder !== Tree.folderOf(bare, documentId))
        .map(([documentId, { folder }]) => [documentId, folder])
    ),
    bytes: Object.fromEntries(
      entries.flatMap(([documentId, { bytes }]) => (bytes === null ? [] : [[documentId, bytes]]))
    )
  }
  return `${JSON.stringify(manifest, null, 1)}\n`
}
