/** Documents, state and two targets in a folder of their own. Imports modules: children load it. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Corpus from "./corpus.ts"

export interface Site {
  readonly directory: string
  /** The root of the documents now. */
  docs: string
}

export const state = (site: Site): string => join(site.directory, "state")
export const jsonl = (site: Site): string => join(site.directory, "out", "chunks.jsonl")
export const folder = (site: Site): string => join(site.directory, "out", "chunks")

/** Writes a document; its bytes are the text. */
export const write = (site: Site, path: string, text: string): void => {
  mkdirSync(dirname(join(site.docs, path)), { recursive: true })
  writeFileSync(join(site.docs, path), text)
}

export const remove = (site: Site, path: string): void => rmSync(join(site.docs, path), { recursive: true })

/** Paths of the documents that are there, below the root. */
export const paths = (site: Site): ReadonlyArray<string> =>
  readdirSync(site.docs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(site.docs.length + 1))

/** Until nothing that was written can be taken for written in the run to come. */
export const settle = Effect.sleep("40 millis")

export const at = (directory: string): Site => ({ directory, docs: join(directory, "docs") })

/** A document to write, by its path. */
export type Planned = readonly [path: string, text: string]

/** With these documents in it, gone with its scope. */
export const holding = (documents: Iterable<Planned>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const site = at(mkdtempSync(join(tmpdir(), "docsluice-faults-")))
      for (const [path, text] of documents) write(site, path, text)
      return site
    }),
    ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  ).pipe(Effect.tap(settle))

/** With the documents of the corpus in it, gone with its scope. */
export const make = (numbers: Pick<Corpus.Numbers, "broken" | "files" | "limited">) =>
  holding(
    Array.from({ length: numbers.files }, (_, index): Planned => [Corpus.path(index, numbers), Corpus.text(index)])
  )
