/** Actual and expected contents of the targets, read without ledger, cache, pipeline or sink. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as ParsedDocument from "docsluice/ParsedDocument"
import { documentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parse as parseYaml } from "yaml"
import * as Corpus from "./corpus.ts"
import { chunker, tokenizer } from "./run.ts"
import * as Site from "./site.ts"

/** A chunk as one line: its document, its id and all that it says. */
export const lineOf = (chunk: DocumentChunk): string =>
  [chunk.documentId, chunk.index, chunk.id, chunk.start, chunk.end, JSON.stringify(chunk.text)].join(" ")

/** The chunks of what is in the folder now, by default of all of it. */
export const wanted = (site: Site.Site, stored: (path: string) => boolean = () => true) =>
  Effect.forEach(Site.paths(site).filter(stored), (path) => {
    const contentHash = Corpus.sha256(readFileSync(join(site.docs, path)))
    const file = { documentId: documentId(basename(site.docs), path), path }
    const data = { markdown: Corpus.markdown(contentHash), metadata: {} }
    return Effect.map(chunker.chunk(ParsedDocument.fromData(file, contentHash, data)), ({ chunks }) =>
      chunks.map(lineOf)
    )
  }).pipe(
    Effect.map((documents) => documents.flat()),
    Effect.provide(tokenizer)
  )

const decodeLine = Schema.decodeUnknownSync(Schema.parseJson(DocumentChunk))
const decodeMembers = Schema.decodeUnknownSync(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const decodeChunk = Schema.decodeUnknownSync(DocumentChunk)

/** Chunks of the JSONL file, and how many of its lines are none: cut ones too. */
const inJsonl = (site: Site.Site): { readonly chunks: ReadonlyArray<string>; readonly cut: number } => {
  if (!existsSync(Site.jsonl(site))) return { chunks: [], cut: 0 }
  const lines = readFileSync(Site.jsonl(site), "utf8").split("\n")
  const last = lines.pop()
  const chunks: Array<string> = []
  let cut = last === "" ? 0 : 1
  for (const line of lines) {
    try {
      chunks.push(lineOf(decodeLine(line)))
    } catch {
      cut += 1
    }
  }
  return { chunks, cut }
}

/** Reads a chunk's file as any reader of front matter would. */
const readChunk = (file: string): string => {
  const text = readFileSync(file, "utf8")
  const end = text.indexOf("\n---\n")
  return lineOf(decodeChunk({ text: text.slice(end + 5), ...decodeMembers(parseYaml(text.slice(4, end))) }))
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : []

const isChunk = (name: string): boolean => /(?:^|\/)\d+(?:~\d+)?\.md$/u.test(name)

/** Files that a run which is over does not leave. */
const leftovers = (site: Site.Site): ReadonlyArray<string> => {
  const out = filesBelow(join(site.directory, "out")).filter(
    (name) => !(isChunk(name) && name.startsWith("chunks/")) && !standing.has(name)
  )
  const state = filesBelow(Site.state(site)).filter(
    (name) => !/^(?:ledger\.db|dead-letter\.jsonl|cache\/index\.db|(?:cache\/)?lock)(?:-wal|-shm)?$/u.test(name)
  )
  return [...out, ...state.map((name) => `state/${name}`)]
}

const standing = new Set(["chunks.jsonl", "chunks.jsonl.docsluice.json", "chunks/manifest.json"])

/** Differences of a target from its expected contents; every member is 0 when there are none. */
export interface Difference {
  /** Chunks that should be there and are not. */
  readonly missing: number
  /** Chunks of documents that are there, but not of their present generation. */
  readonly stale: number
  /** Chunks of documents that are not there any more. */
  readonly ghosts: number
  /** Chunks that are there more than once. */
  readonly duplicates: number
}

export interface Check {
  /** Chunks that each sink should hold. */
  readonly chunks: number
  /** Documents of which each sink holds something. */
  readonly documents: { readonly jsonl: number; readonly fs: number }
  readonly jsonl: Difference
  readonly fs: Difference
  /** Lines of the JSONL file that are no chunk. */
  readonly cutLines: number
  readonly leftovers: ReadonlyArray<string>
  /** All of it is as it should be. */
  readonly ok: boolean
}

const documentOf = (line: string): string => line.slice(0, line.indexOf(" "))

const documentsIn = (lines: ReadonlyArray<string>): number => new Set(lines.map(documentOf)).size

const compare = (expected: ReadonlyArray<string>, found: ReadonlyArray<string>): Difference => {
  const should = new Set(expected)
  const is = new Set(found)
  const documents = new Set(expected.map(documentOf))
  const wrong = [...is].filter((line) => !should.has(line))
  return {
    missing: [...should].filter((line) => !is.has(line)).length,
    stale: wrong.filter((line) => documents.has(documentOf(line))).length,
    ghosts: wrong.filter((line) => !documents.has(documentOf(line))).length,
    duplicates: found.length - is.size
  }
}

const none = (difference: Difference): boolean => Object.values(difference).every((count) => count === 0)

/** Compares both targets with the folder, or with those of its documents that are to be stored. */
export const check = (site: Site.Site, stored?: (path: string) => boolean): Effect.Effect<Check> =>
  Effect.map(wanted(site, stored), (expected) => {
    const { chunks, cut } = inJsonl(site)
    const files = filesBelow(Site.folder(site))
      .filter(isChunk)
      .map((name) => readChunk(join(Site.folder(site), name)))
    const jsonl = compare(expected, chunks)
    const fs = compare(expected, files)
    const left = leftovers(site)
    return {
      chunks: expected.length,
      documents: { jsonl: documentsIn(chunks), fs: documentsIn(files) },
      jsonl,
      fs,
      cutLines: cut,
      leftovers: left,
      ok: none(jsonl) && none(fs) && cut === 0 && left.length === 0
    }
  }).pipe(Effect.orDie)
