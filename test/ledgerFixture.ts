import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChunkId } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import type { Failure } from "docsluice/LedgerEntry"
import type { ScopeRequest } from "docsluice/Source"
import { documentId, type Fingerprint } from "docsluice/SourceFile"
import { Chunk, Effect, Stream } from "effect"
import { type Commit, type Expected, ofRun, type RunLedger } from "../src/internal/state/ledger/runLedger.ts"

export const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-ledger-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

export const hash = (seed: string): string => Buffer.from(seed.padEnd(32, "\0")).toString("hex").slice(0, 64)

export const ids = (...names: ReadonlyArray<string>) => names.map((name) => ChunkId.make(hash(name)))

export const key = (path: string, root = "docs") => ({ documentId: documentId(root, path), path })

export const print: Fingerprint = {
  _tag: "Stat",
  modified: 1_000_000_123n,
  changed: 1_000_000_456n,
  inode: 2n ** 63n + 5n
}

export const a = { sink: "jsonl:/a", store: "s1" }
export const b = { sink: "fs:/b", store: null }

export const expected: Expected = {
  optionsHash: "o",
  identity: "embedded@1",
  configuration: "c",
  embedder: null,
  sinks: [a],
  startedAt: 9_000_000,
  verify: false,
  redo: "nothing"
}

export const generation = (path: string, change: Partial<Commit> = {}): Commit => ({
  ...key(path),
  size: 10,
  fingerprint: print,
  checkedAt: 5_000_000,
  contentHash: hash(`content of ${path}`),
  optionsHash: "o",
  identity: "embedded@1",
  configuration: "c",
  embedder: null,
  chunkIds: ids("1", "2"),
  acknowledged: [a],
  report: { pages: 3, credits: 1.5, tokens: 99, truncated: true, warnings: ["only 3 of 9 pages were parsed"] },
  scope: null,
  ...change
})

export const failure = (change: Partial<Failure> = {}): Failure => ({
  size: 10,
  fingerprint: print,
  checkedAt: 5_000_000,
  tag: "DocumentUnparsable",
  message: "the document is corrupt",
  retryable: false,
  final: true,
  contentHash: hash("bad"),
  optionsHash: "o",
  identity: "embedded@1",
  attempts: 2,
  at: 5_000_001,
  targets: [a.sink],
  request: null,
  ...change
})

export const request: ScopeRequest = { root: "docs", path: null, patterns: "p1" }

/** A ledger with everything that a run may ask of it. */
export type Open = Ledger.Ledger.Service & RunLedger<Ledger.LedgerError>

export const reopened = <A, E>(directory: string, body: (ledger: Open) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(Effect.map(Ledger.make({ directory }), ofRun), body))

export const collect = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

export const found = (path: string) => ({ path, size: 10, fingerprint: print })
