import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readIfThere } from "../shared/Durable.ts"

/** Voids lines of the journal's file that begin before byte `before`: those of the ids, or those of the document. */
export const Entry = Schema.Union(
  Schema.Struct({ remove: Schema.Array(ChunkId), before: Schema.NonNegativeInt }),
  Schema.Struct({ replace: DocumentId, before: Schema.NonNegativeInt }),
  /** The rewritten file is whole and is about to take the old one's place; nothing after this counts. */
  Schema.Struct({ rewritten: Schema.Literal(true) })
)
export type Entry = typeof Entry.Type

const EntryText = Schema.parseJson(Entry)

export const encode = (entry: Entry): Uint8Array => new TextEncoder().encode(`${JSON.stringify(entry)}\n`)

/** The removals that a killed run left. */
export interface Journal {
  readonly ids: ReadonlyMap<ChunkId, number>
  readonly documents: ReadonlyMap<DocumentId, number>
  readonly rewritten: boolean
  readonly empty: boolean
}

export const none: Journal = { ids: new Map(), documents: new Map(), rewritten: false, empty: true }

/** A last entry that is cut was never acknowledged, and is left out. */
export const read = (fs: FileSystem, path: string): Effect.Effect<Journal, PlatformError> =>
  Effect.map(readIfThere(fs, path), (text) => {
    const ids = new Map<ChunkId, number>()
    const documents = new Map<DocumentId, number>()
    let rewritten = false
    for (const line of (text ?? "").split("\n")) {
      const entry = Option.getOrNull(Schema.decodeOption(EntryText)(line))
      if (entry === null || rewritten) continue
      if ("rewritten" in entry) rewritten = true
      else if ("replace" in entry) documents.set(entry.replace, entry.before)
      else for (const id of entry.remove) ids.set(id, entry.before)
    }
    return { ids, documents, rewritten, empty: ids.size === 0 && documents.size === 0 }
  })
