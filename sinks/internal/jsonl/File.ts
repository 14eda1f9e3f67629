/** The JSONL sink: one line for each chunk, a journal, and an index of lines in memory. */
import { type PlatformError, SystemError } from "@effect/platform/Error"
import { type DocumentChunks, type Listed, SinkError } from "docsluice/ChunkSink"
import { type ChunkId, DocumentChunk, toLine } from "docsluice/DocumentChunk"
import { type DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as ScopedRef from "effect/ScopedRef"
import * as Stream from "effect/Stream"
import {
  type AppendFile,
  journal as openJournal,
  openAppend,
  readAt,
  removeIfThere,
  sinkError
} from "../shared/Durable.ts"
import * as Journal from "./Journal.ts"
import { LineIndex, type Place } from "./LineIndex.ts"
import * as Lines from "./Lines.ts"
import * as Rewrite from "./Rewrite.ts"
import type { Files } from "./Rewrite.ts"

/** A JSONL file that is open for this process alone. Calls come one after another. */
export interface JsonlFile {
  readonly index: LineIndex
  readonly write: (chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, PlatformError>
  /** All of them are appended in one step, and noted in another. */
  readonly replace: (documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, PlatformError>
  readonly remove: (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, PlatformError>
  /** Rewrites the file without void lines, holding their places only; does nothing when no line is void. */
  readonly compact: Effect.Effect<void, PlatformError>
}

/**
 * Opens the file, which must exist, and repairs the remains of a killed run. `ours`: true when a stamp says that this sink wrote
 * it; only then is a cut last line taken away, else it is a stranger's.
 */
export const open = Effect.fnUntraced(function* (
  files: Files,
  ours: boolean
): Effect.fn.Return<JsonlFile, SinkError, Scope.Scope> {
  const { fs, sink } = files
  const failed = sinkError(sink, `cannot open ${files.file}`)
  yield* Effect.mapError(Rewrite.settle(files), failed)
  const journal = yield* Effect.mapError(Journal.read(fs, files.journal), failed)
  const found = yield* load(files, ours, journal)
  return yield* Effect.mapError(
    Effect.gen(function* () {
      yield* repairTail(files, found)
      const whole = { ...found, size: found.unended ? found.size + 1 : found.size }
      const file = yield* make(files, whole, !journal.empty || found.superseded)
      yield* file.compact
      yield* removeIfThere(fs, files.journal)
      return file
    }),
    failed
  )
})

/** Result of inspecting the lines of a file. */
export interface Peeked {
  /** The first chunks that count. */
  readonly chunks: ReadonlyArray<Listed>
  /** Number of the first line that is not a chunk; null if none was met. */
  readonly foreign: number | null
}

/** Reads the first valid lines, at most `most` of them, and changes nothing. `ours` as in `open`. */
export const peek = (files: Files, ours: boolean, most: number): Effect.Effect<Peeked, SinkError> =>
  Effect.gen(function* () {
    const { fs } = files
    const journal = yield* Journal.read(fs, files.journal)
    const isNew = journal.rewritten && (yield* fs.exists(files.rewritten))
    const chunks: Array<Listed> = []
    let foreign: number | null = null
    let number = 0
    const visitor = (line: Lines.Line): "enough" | null => {
      number += 1
      const text = decoder.decode(line.bytes)
      const chunk = text.trim() === "" ? null : identify(text, ours && line.ended)
      if (chunk === undefined) {
        if (!line.ended && ours) return null
        foreign = number
        return "enough"
      }
      if (chunk !== null && (isNew || !isRevoked(journal, chunk, line.offset))) chunks.push(chunk)
      return chunks.length < most ? null : "enough"
    }
    yield* Effect.catchIf(
      Lines.visit(fs, isNew ? files.rewritten : files.file, visitor),
      (error) => error === "enough",
      () => Effect.void
    )
    return { chunks, foreign }
  }).pipe(Effect.mapError(sinkError(files.sink, `cannot read ${files.file}`)))

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/** A later entry of the journal took the line out. */
const isRevoked = ({ documents, ids }: Journal.Journal, { documentId, id }: Listed, offset: number): boolean =>
  offset < (ids.get(id) ?? 0) || offset < (documents.get(documentId) ?? 0)

interface Found {
  readonly index: LineIndex
  /** Bytes up to the end of the last line that counts as one. */
  readonly size: number
  /** The last line is a whole chunk, and only its line feed is missing. */
  readonly unended: boolean
  /** A line lost its place to a later one, or to the journal. */
  readonly superseded: boolean
}

/** The lines that count, and the path of the file that has them. */
export interface Lined {
  readonly index: LineIndex
  readonly file: string
}

/** The lines of a file that is not to be changed. */
export const look = Effect.fnUntraced(function* (files: Files, ours: boolean): Effect.fn.Return<Lined, SinkError> {
  const { fs, rewritten, sink } = files
  const { isNew, journal } = yield* Effect.mapError(
    Effect.gen(function* () {
      const journal = yield* Journal.read(fs, files.journal)
      return { journal, isNew: journal.rewritten && (yield* fs.exists(rewritten)) }
    }),
    sinkError(sink, `cannot read ${files.file}`)
  )
  const file = isNew ? rewritten : files.file
  const { index } = yield* load({ ...files, file }, ours, isNew ? Journal.none : journal)
  return { index, file }
})

/** Decodes lines of the file, in the order of their places. */
export const read = ({ fs, sink }: Files, { file, index }: Lined): Stream.Stream<DocumentChunk, SinkError> => {
  const failed = sinkError(sink, `cannot read ${file}`)
  return Stream.unwrapScoped(
    Effect.map(Effect.mapError(fs.open(file, { flag: "r" }), failed), (open) =>
      Stream.mapEffect(Stream.fromIterable(index.inOrder()), ({ length, offset }) =>
        Effect.flatMap(
          Effect.mapError(readAt(open, offset, length), failed),
          (bytes) =>
            Option.getOrNull(Option.map(decodeChunk(decoder.decode(bytes)), Effect.succeed)) ??
            new SinkError({ sink, reason: "Mismatch", problem: `byte ${offset} of ${file} begins no chunk` })
        )
      )
    )
  )
}

const load = (files: Files, ours: boolean, journal: Journal.Journal): Effect.Effect<Found, SinkError> =>
  Effect.suspend(() => {
    const { fs, sink } = files
    const index = new LineIndex()
    let number = 0
    let size = 0
    let unended = false
    let superseded = false
    const visitor = (line: Lines.Line): SinkError | null => {
      number += 1
      const text = decoder.decode(line.bytes)
      const chunk = text.trim() === "" ? null : identify(text, ours && line.ended)
      if (chunk === undefined) return !line.ended && ours ? null : foreign(files, number)
      const length = line.bytes.length + 1
      size = line.offset + length
      unended = !line.ended
      if (chunk === null) {
        superseded = true
        return null
      }
      const { id, documentId } = chunk
      superseded ||= index.has(id)
      if (isRevoked(journal, chunk, line.offset)) {
        superseded = true
        return null
      }
      index.add(id, documentId, line.offset, length)
      return null
    }
    return Lines.visit(fs, files.file, visitor).pipe(
      Effect.mapError((error) =>
        error._tag === "SinkError" ? error : sinkError(sink, `cannot read ${files.file}`)(error)
      ),
      Effect.map(() => ({ index, size: unended ? size - 1 : size, unended, superseded }))
    )
  })

/** The problem of a file that this sink did not write. */
export const foreignLine = (files: Files, line: number): string =>
  `line ${line} of ${files.file} is not a chunk; nothing was changed, name another file or move this one away`

const foreign = (files: Files, line: number): SinkError =>
  new SinkError({ sink: files.sink, reason: "Mismatch", problem: foreignLine(files, line) })

const decodeChunk = Schema.decodeOption(Schema.parseJson(DocumentChunk))
const decodeName = Schema.decodeOption(
  Schema.parseJson(Schema.Tuple(DocumentChunk.fields.id, DocumentChunk.fields.documentId))
)
const ownLine = /^\{"id":("(?:[^"\\]|\\.)+"),"documentId":("(?:[^"\\]|\\.)+"),"source":.*\}$/su

/** A line that this sink wrote whole is known by its beginning and its end; any other one is decoded. */
const identify = (text: string, trusted: boolean): Listed | undefined => {
  const match = trusted ? ownLine.exec(text) : null
  if (match !== null) {
    const name = Option.getOrUndefined(decodeName(`[${match[1]},${match[2]}]`))
    if (name !== undefined) return { id: name[0], documentId: name[1] }
  }
  return Option.getOrUndefined(decodeChunk(text))
}

const repairTail = ({ file, fs }: Files, { size, unended }: Found): Effect.Effect<void, PlatformError> =>
  Effect.scoped(
    Effect.flatMap(openAppend(fs, file, size), (data) =>
      unended ? Effect.asVoid(data.append(Uint8Array.of(10))) : data.cut(size)
    )
  )

/** Comparisons of lines with those of the file, of which `read` gives bytes. */
const comparing = (
  index: LineIndex,
  read: (offset: number, length: number) => Effect.Effect<Uint8Array, PlatformError>
) => {
  /** The lines that the file lacks or has with other bytes; neighbours in the file are read in one go. */
  const missing = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
    const fresh: Array<Line> = []
    const run: Array<Line> = []
    let start = 0
    let end = 0
    const compare = Effect.gen(function* () {
      const there = run.length === 0 ? new Uint8Array(0) : yield* read(start, end - start)
      let at = 0
      for (const line of run) {
        if (Buffer.compare(there.subarray(at, at + line.bytes.length), line.bytes) !== 0) fresh.push(line)
        at += line.bytes.length
      }
      run.length = 0
    })
    for (const line of lines) {
      const place = index.get(line.chunk.id)
      if (place?.length !== line.bytes.length || place.documentId !== line.chunk.documentId) {
        fresh.push(line)
        continue
      }
      if (run.length > 0 && (place.offset !== end || end - start > longestRun)) yield* compare
      if (run.length === 0) start = place.offset
      run.push(line)
      end = place.offset + place.length
    }
    yield* compare
    return new Set(fresh)
  })
  /** True when the document consists of exactly these lines, in this order. */
  const isWhole = Effect.fnUntraced(function* (documentId: DocumentId, lines: ReadonlyArray<Line>) {
    if (index.idsOf(documentId).length !== lines.length) return false
    let last = -1
    for (const line of lines) {
      const offset = index.get(line.chunk.id)?.offset ?? -1
      if (offset <= last) return false
      last = offset
    }
    return (yield* missing(lines)).size === 0
  })
  return { isWhole, missing }
}

/** Long, since its calls share the open file, its journal and whether lines are void. */
const make = Effect.fnUntraced(function* (
  files: Files,
  { index, size }: Found,
  recovered: boolean
): Effect.fn.Return<JsonlFile, PlatformError, Scope.Scope> {
  const { fs } = files
  const data = yield* ScopedRef.make<AppendFile | null>(() => null)
  yield* ScopedRef.set(data, openAppend(fs, files.file, size))
  const journal = yield* openJournal(fs, { folder: files.folder, path: files.journal, like: files.file })
  let superseded = recovered

  const opened = Effect.flatMap(ScopedRef.get(data), (file) =>
    file === null ? lost(files.file) : Effect.succeed(file)
  )
  const note = (entries: ReadonlyArray<Journal.Entry>) => journal.note(Buffer.concat(entries.map(Journal.encode)))
  const { isWhole, missing } = comparing(index, (offset, length) =>
    Effect.flatMap(opened, (file) => file.read(offset, length))
  )
  const append = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
    if (lines.length === 0) return
    const file = yield* opened
    let offset = yield* file.append(Buffer.concat(lines.map((line) => line.bytes)))
    for (const { chunk, bytes } of lines) {
      superseded ||= index.has(chunk.id)
      index.add(chunk.id, chunk.documentId, offset, bytes.length)
      offset += bytes.length
    }
  })

  /** After a failure nothing may be appended: opening the file again completes the rewrite and would drop later lines. */
  const takeItsPlace = Effect.fnUntraced(function* (places: ReadonlyArray<Place>) {
    yield* note([{ rewritten: true }])
    yield* ScopedRef.set(data, Effect.succeed(null))
    yield* Rewrite.takePlace(files)
    let end = 0
    for (const place of places) {
      place.offset = end
      end += place.length
    }
    yield* journal.remove
    yield* ScopedRef.set(data, openAppend(fs, files.file, end))
    superseded = false
  })

  return {
    index,
    write: Effect.fnUntraced(function* (chunks) {
      const lines = encodeAll(chunks)
      const fresh = yield* missing(lines)
      yield* append(lines.filter((line) => fresh.has(line)))
    }),
    replace: Effect.fnUntraced(function* (documents) {
      const changed = yield* Effect.filter(
        documents.map(({ chunks, documentId }) => ({ documentId, lines: encodeAll(chunks) })),
        ({ documentId, lines }) => Effect.negate(isWhole(documentId, lines))
      )
      if (changed.length === 0) return
      const before = (yield* opened).size()
      const former = changed.filter(({ documentId }) => index.hasDocument(documentId))
      superseded ||= former.length > 0
      yield* append(changed.flatMap(({ lines }) => lines))
      if (former.length === 0) return
      yield* note(former.map(({ documentId }) => ({ replace: documentId, before })))
      for (const { documentId, lines } of former) {
        const kept = new Set(lines.map((line) => line.chunk.id))
        for (const id of index.idsOf(documentId)) {
          if (!kept.has(id)) index.remove(id)
        }
      }
    }, Effect.uninterruptible),
    remove: Effect.fnUntraced(function* (ids) {
      const there = ids.filter((id) => index.has(id))
      if (there.length === 0) return
      superseded = true
      yield* note([{ remove: there, before: (yield* opened).size() }])
      for (const id of there) index.remove(id)
    }, Effect.uninterruptible),
    compact: Effect.suspend(() => {
      if (!superseded) return Effect.void
      const places = index.inOrder()
      const close = ScopedRef.set(data, Effect.succeed(null))
      return Effect.zipRight(
        Rewrite.write(files, places),
        Effect.tapError(takeItsPlace(places), () => close)
      )
    }).pipe(Effect.uninterruptible)
  }
})

interface Line {
  readonly chunk: DocumentChunk
  readonly bytes: Uint8Array
}

/** Bytes that are read back at a time. */
const longestRun = 1 << 20

/** One line for each id; where an id comes twice, the later chunk at its place. */
const encodeAll = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<Line> => {
  const lines = new Map<ChunkId, Line>()
  for (const chunk of chunks) {
    lines.delete(chunk.id)
    lines.set(chunk.id, { chunk, bytes: Buffer.from(`${toLine(chunk)}\n`, "utf8") })
  }
  return [...lines.values()]
}

const lost = (path: string): Effect.Effect<never, PlatformError> =>
  Effect.fail(
    new SystemError({
      module: "FileSystem",
      method: "write",
      reason: "Unknown",
      pathOrDescriptor: path,
      description: "it could not be put in place after it was rewritten; open it again"
    })
  )
