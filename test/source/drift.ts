/**
 * A source over a real server, followed by the command line: runs with changes between them, some of which are killed in the middle. After
 * each run that ends the store holds what the server holds, and no body was read but of documents that are new, moved or changed: of a changed
 * one perhaps twice, to compare it and to parse it.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import type { SinkError } from "docsluice/ChunkSink"
import { Summary } from "docsluice/Outcome"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, Random, Schema, type Scope, Stream } from "effect"
import { start } from "../cli/run.ts"

/** A root on a server, and all that happens there. The documents are Markdown of a few hundred bytes. */
export interface Place {
  /** Name of the root, first part of the documents' ids. */
  readonly name: string
  /** Address of the root, as the command line takes it. */
  readonly root: string
  /** Environment of the command line, credentials among it. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Creates a document, or changes its bytes. The folders of its path are there, or are created. */
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void>
  readonly remove: (path: string) => Effect.Effect<void>
  /** Gives a document another path, where there is none. */
  readonly move: (from: string, to: string) => Effect.Effect<void>
  /** Makes the changes since the last call visible at once, as a commit does; default: each is visible when it is made. */
  readonly settle?: Effect.Effect<void> | undefined
  /** Bodies that were read so far, by all runs. */
  readonly reads: () => number
  /** Requests for listings so far, by all runs. */
  readonly listings: () => number
}

export interface Options {
  /** Documents at first; default 500. */
  readonly documents?: number | undefined
  /** Runs that end; default 10. */
  readonly runs?: number | undefined
  /** Most requests for listings in one run, which looks for one document before it begins, and then lists all. */
  readonly mostListings: number
  /** Folders of the documents, each with a slash at its end, or empty; default: the root, and two with names that have to be quoted. */
  readonly folders?: ReadonlyArray<string> | undefined
}

/** The figures of all runs. */
export interface Report {
  /** Runs that were killed before they ended. */
  readonly kills: number
  readonly reads: number
  readonly listings: number
  readonly milliseconds: number
}

const seed = process.env["DOCSLUICE_TEST_SEED"] ?? String(Date.now())

/** Documents of each kind of change between two runs. */
const changes = 8

/** Share of the runs that are killed. */
const killed = 1 / 3

/** Milliseconds in which the server has seen what a killed process sent. */
const quiet = 200

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-drift-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
)

/** The documents of a place, and their changes by chance: a path is changed once between two runs that end. */
const documents = (place: Place, folders: ReadonlyArray<string>) => {
  /** Texts by path. */
  const truth = new Map<string, string>()
  const touched = new Set<string>()
  /** Paths after the last run that ended. */
  let known: ReadonlySet<string> = new Set()
  let made = 0
  const freshPath = Effect.gen(function* () {
    const folder = folders[yield* Random.nextIntBetween(0, folders.length)] ?? ""
    return `${folder}Page #${(made += 1)} 50%.md`
  })
  const write = (path: string) =>
    Effect.gen(function* () {
      const words = Array.from({ length: yield* Random.nextIntBetween(1, 40) }, (_, at) => `word${at}`)
      const text = `Version ${(made += 1)} of the page: ${words.join(" ")}.`
      yield* place.write(path, Buffer.from(text))
      truth.set(path, text)
      touched.add(path)
    })
  const remove = (path: string) =>
    Effect.zipRight(
      place.remove(path),
      Effect.sync(() => {
        truth.delete(path)
        touched.add(path)
      })
    )
  const move = (from: string, to: string) =>
    Effect.zipRight(
      place.move(from, to),
      Effect.sync(() => {
        truth.set(to, truth.get(from) ?? "")
        truth.delete(from)
        touched.add(from).add(to)
      })
    )
  /** Moves to another folder under the same name where there are several. */
  const elsewhere = (path: string): string => {
    const base = path.slice(path.lastIndexOf("/") + 1)
    const at = folders.indexOf(path.slice(0, path.length - base.length))
    return `${folders[(at + 1) % folders.length]}${base}`
  }
  const create = (count: number) =>
    Effect.repeatN(Effect.flatMap(freshPath, write), count - 1).pipe(Effect.zipRight(place.settle ?? Effect.void))
  const change = Effect.gen(function* () {
    const calm = [...truth.keys()].filter((path) => !touched.has(path))
    const some = Array.from(yield* Random.shuffle(calm)).slice(0, changes * 4)
    for (const [at, path] of some.entries()) {
      if (at % 4 === 0) yield* write(path)
      if (at % 4 === 1) yield* remove(path)
      if (at % 4 === 2) yield* Effect.flatMap(freshPath, (to) => move(path, to))
      if (at % 4 === 3) {
        const to = elsewhere(path)
        if (!truth.has(to) && !touched.has(to)) yield* move(path, to)
      }
    }
    yield* create(changes)
  })
  return {
    truth,
    create,
    change,
    /** Documents that a run has to read, and those of them that the store has in another version. */
    due: () => {
      const paths = [...touched].filter((path) => truth.has(path))
      return { all: paths.length, changed: paths.filter((path) => known.has(path)).length }
    },
    settled: () => {
      touched.clear()
      known = new Set(truth.keys())
    }
  }
}

/** The texts in the store by the paths of their documents. */
const stored = (file: string, name: string) =>
  Effect.gen(function* () {
    const texts = new Map<string, string>()
    const sink = yield* LibSql.make({ file })
    yield* Stream.runForEach(sink.contents ?? Stream.empty, ({ documentId, text }) =>
      Effect.sync(() => {
        const path = documentId.slice(name.length + 1)
        texts.set(path, (texts.get(path) ?? "") + text)
      })
    )
    return texts
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

const sorted = (texts: ReadonlyMap<string, string>) =>
  Array.from(texts, ([path, text]) => `${path}: ${text}`).toSorted()

/** Fills a place, and follows it through all runs. */
export const check = <E, R>(
  made: Effect.Effect<Place, E, R>,
  { documents: count = 500, folders = ["", "Über uns/", "a b/c/"], mostListings, runs = 10 }: Options
): Effect.Effect<Report, E | SinkError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const place = yield* made
    const folder = yield* temporary
    const began = performance.now()
    const store = join(folder, "store.db")
    const { change, create, due, settled, truth } = documents(place, folders)
    const said = `seed ${seed}`
    const command = ["ingest", place.root, "--to", `libsql:${store}`, "--state", join(folder, "state")]
    const ingest = () => start(folder, [...command, "--mode", "sync", "--allow-removals", "--json"], place.env)
    const counted = <A, E2, R2>(run: Effect.Effect<A, E2, R2>) =>
      Effect.gen(function* () {
        const before = { reads: place.reads(), listings: place.listings() }
        const result = yield* run
        assert.isAtMost(place.listings() - before.listings, mostListings, `listings of a run, ${said}`)
        return { result, reads: place.reads() - before.reads }
      })
    /** Kills a run once a number of bodies by chance was read; true when it had not ended before. */
    const cut = Effect.gen(function* () {
      const before = place.reads()
      const most = yield* Random.nextIntBetween(0, due().all + 1)
      const { child, ended } = ingest()
      if (most === 0) yield* Effect.sleep(yield* Random.nextIntBetween(0, 1000))
      while (child.exitCode === null && place.reads() - before < most) yield* Effect.sleep(5)
      child.kill("SIGKILL")
      const { status } = yield* Effect.promise(() => ended)
      yield* Effect.sleep(quiet)
      return status === null
    })
    /** A run that ends; gives the number of documents that were not unchanged. */
    const whole = Effect.gen(function* () {
      const { reads, result } = yield* counted(Effect.promise(() => ingest().ended))
      assert.strictEqual(result.status, 0, `${result.stderr}${result.stdout}, ${said}`)
      const { discovered, failed, unchanged } = Schema.decodeSync(Schema.parseJson(Summary))(result.stdout)
      const read = discovered - unchanged
      assert.deepEqual({ discovered, failed }, { discovered: truth.size, failed: 0 }, said)
      assert.isAtLeast(reads, read, `bodies read, ${said}`)
      assert.isAtMost(reads, read + Math.min(read, due().changed), `bodies read, ${said}`)
      assert.deepEqual(sorted(yield* stored(store, place.name)), sorted(truth), said)
      return read
    })
    yield* create(count)
    let kills = 0
    for (let run = 0; run < runs; run += 1) {
      if (run > 0) yield* change
      let uncut = true
      while (run === 0 ? kills === 0 : (yield* Random.next) < killed) {
        const { reads, result } = yield* counted(cut)
        assert.isAtMost(reads, due().all + due().changed, `bodies read by a killed run, ${said}`)
        if (result) kills += 1
        uncut = false
        if (yield* Random.nextBoolean) yield* change
      }
      const read = yield* whole
      assert.isAtMost(read, due().all, `documents read, ${said}`)
      if (uncut) assert.strictEqual(read, due().all, `documents read, ${said}`)
      settled()
    }
    assert.strictEqual(yield* whole, 0, said)
    return {
      kills,
      reads: place.reads(),
      listings: place.listings(),
      milliseconds: Math.round(performance.now() - began)
    }
  }).pipe(Effect.withRandom(Random.make(seed)))
