/** Cost of the ledger in a re-run without changes, compared with a bare walk of the same tree in the same run. */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { ChunkId } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import type { ScopeRequest } from "docsluice/Source"
import { documentId } from "docsluice/SourceFile"
import { Effect } from "effect"
import { type Commit, type Expected, ofRun } from "../src/internal/state/ledger/runLedger.ts"

const documents = Number(process.argv[2] ?? 100_000)
const rounds = 5

setFlagsFromString("--expose-gc")
const collect: unknown = runInNewContext("gc")

/** Bytes in use after a full collection. */
const inUse = (): number => {
  if (typeof collect === "function") collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const wall = performance.now()
    const cpu = process.cpuUsage()
    return Effect.map(effect, (value) => {
      const used = process.cpuUsage(cpu)
      return { value, wallMs: performance.now() - wall, cpuMs: (used.user + used.system) / 1000 }
    })
  })

/** Longest delay of a 5 ms timer during the effect. */
const stalled = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let last = performance.now()
    let longest = 0
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last - 5)
      last = now
    }, 5)
    return Effect.map(effect, () => {
      longest = Math.max(longest, performance.now() - last - 5)
      clearInterval(timer)
      return longest
    })
  })

const root = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
const tree = join(root, "docs")

const plant = (): void => {
  for (let folder = 0; folder < documents / 100; folder++) {
    mkdirSync(join(tree, `folder-${folder}`), { recursive: true })
    for (let file = 0; file < 100; file++) writeFileSync(join(tree, `folder-${folder}`, `document-${file}.txt`), "x")
  }
}

interface Walked {
  readonly path: string
  readonly size: number
  readonly fingerprint: {
    readonly _tag: "Stat"
    readonly modified: bigint
    readonly changed: bigint
    readonly inode: bigint
  }
}

const walk = (keep: (file: Walked) => void): void => {
  for (const path of readdirSync(tree, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(join(tree, path), { bigint: true })
    if (!stat.isFile()) continue
    const fingerprint = { _tag: "Stat", modified: stat.mtimeNs, changed: stat.ctimeNs, inode: stat.ino } as const
    keep({ path, size: Number(stat.size), fingerprint })
  }
}

const startedAt = Date.now() + 60_000

const expected: Expected = {
  optionsHash: "o",
  identity: "embedded",
  configuration: "c",
  embedder: null,
  means: null,
  sinks: [{ sink: "jsonl:/a", store: "s" }],
  startedAt: startedAt + 60_000,
  verify: false,
  redo: "nothing"
}

const commitOf = (file: Walked, scope: number): Commit => ({
  ...file,
  documentId: documentId("docs", file.path),
  checkedAt: startedAt,
  contentHash: hash(file.path),
  optionsHash: "o",
  identity: "embedded",
  configuration: "c",
  embedder: null,
  chunkIds: Array.from({ length: 10 }, (_, index) => ChunkId.make(hash(`${file.path} ${index}`).slice(0, 32))),
  acknowledged: expected.sinks,
  report: { pages: 3, credits: 3, tokens: 900, truncated: false, warnings: [] },
  scope
})

const request: ScopeRequest = { root: "docs", path: tree, patterns: "p" }

const rerun = Effect.gen(function* () {
  const ledger = ofRun(yield* Ledger.make({ directory: join(root, "state") }))
  const before = inUse()
  const loaded = yield* timed(ledger.scan(request, expected))
  const scan = loaded.value
  const bytesPerPath = (inUse() - before) / documents
  let unchanged = 0
  const seen = yield* timed(
    Effect.suspend(() => {
      const files: Array<Walked> = []
      walk((file) => files.push(file))
      return Effect.map(scan.see(files), (standings) => {
        for (const standing of standings) if (standing === "unchanged") unchanged += 1
      })
    })
  )
  const completed = yield* timed(scan.complete(startedAt))
  return {
    unchanged,
    loadMs: loaded.wallMs,
    completeMs: completed.wallMs,
    walkAndSeeMs: seen.wallMs,
    totalMs: loaded.wallMs + seen.wallMs + completed.wallMs,
    cpuMs: loaded.cpuMs + seen.cpuMs + completed.cpuMs,
    bytesPerPath
  }
}).pipe(Effect.scoped)

const bare = timed(Effect.sync(() => walk(() => {})))

const cacheFigures = Effect.gen(function* () {
  const cache = yield* ParseCache.make({ directory: join(root, "cache") })
  const key = (seed: string) => ({
    contentHash: hash(seed),
    type: "application/pdf",
    optionsHash: "o",
    identity: "embedded"
  })
  const small = (index: number) => ({
    contentHash: hash(`${index}`),
    data: { markdown: `line ${index} `.repeat(700), metadata: {} }
  })
  const indexes = Array.from({ length: 2000 }, (_, index) => index)
  const puts = yield* timed(
    Effect.forEach(indexes, (index) => cache.put(key(`${index}`), small(index)), { concurrency: 32, discard: true })
  )
  const gets = yield* timed(
    Effect.forEach(indexes, (index) => cache.get(key(`${index}`)), { concurrency: 32, discard: true })
  )
  const page = Array.from({ length: 300 }, (_, line) => hash(`${line}`)).join("\n")
  const pages = Array.from({ length: 1000 }, (_, index) => ({ pageNumber: index + 1, markdown: `${index}\n${page}` }))
  const large = { contentHash: hash("large"), data: { markdown: "x", pages, metadata: {} } }
  const putLarge = yield* timed(stalled(cache.put(key("large"), large)))
  const getLarge = yield* timed(stalled(cache.get(key("large"))))
  return {
    smallPutUs: (puts.wallMs * 1000) / indexes.length,
    smallPutCpuUs: (puts.cpuMs * 1000) / indexes.length,
    smallGetUs: (gets.wallMs * 1000) / indexes.length,
    smallGetCpuUs: (gets.cpuMs * 1000) / indexes.length,
    largeMB: 19.5,
    largePutMs: putLarge.wallMs,
    largePutLoopHeldMs: putLarge.value,
    largeGetMs: getLarge.wallMs,
    largeGetLoopHeldMs: getLarge.value
  }
}).pipe(Effect.scoped)

const first = Effect.gen(function* () {
  const ledger = ofRun(yield* Ledger.make({ directory: join(root, "state") }))
  const { scope } = yield* ledger.scan(request, expected)
  const entries: Array<Commit> = []
  walk((file) => entries.push(commitOf(file, scope)))
  let held = 0
  const commits = yield* timed(
    Effect.map(
      stalled(Effect.forEach(entries, (entry) => ledger.commit(entry), { concurrency: 32, discard: true })),
      (longest) => {
        held = longest
      }
    )
  )
  return {
    commitUs: (commits.wallMs * 1000) / documents,
    commitCpuUs: (commits.cpuMs * 1000) / documents,
    commitLoopHeldMs: held
  }
}).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  plant()
  const firstRun = yield* first
  const walks: Array<{ readonly wallMs: number; readonly cpuMs: number }> = []
  const runs: Array<Effect.Effect.Success<typeof rerun>> = []
  for (let round = 0; round < rounds; round++) {
    walks.push(yield* bare)
    runs.push(yield* rerun)
  }
  const of = (name: "loadMs" | "completeMs" | "totalMs" | "cpuMs" | "bytesPerPath" | "unchanged") =>
    median(runs.map((run) => run[name]))
  const walked = {
    rerunMs: median(walks.map(({ wallMs }) => wallMs)),
    rerunCpuMs: median(walks.map(({ cpuMs }) => cpuMs))
  }
  return {
    bench: "ledger",
    ours: {
      documents,
      unchanged: of("unchanged"),
      rerunMs: of("totalMs"),
      rerunCpuMs: of("cpuMs"),
      loadMs: of("loadMs"),
      completeMs: of("completeMs"),
      bytesPerPath: of("bytesPerPath"),
      databaseBytesPerPath: statSync(join(root, "state", "ledger.db")).size / documents,
      ...firstRun,
      cache: yield* cacheFigures
    },
    peers: { "readdirSync and statSync": walked },
    ratio: of("totalMs") / walked.rerunMs,
    cpuRatio: of("cpuMs") / walked.rerunCpuMs,
    machine: { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  }
}).pipe(Effect.ensuring(Effect.sync(() => rmSync(root, { recursive: true, force: true }))))

console.log(JSON.stringify(await Effect.runPromise(program), null, 2))
