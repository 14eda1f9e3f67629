/** Many processes over one folder with one state on a server, killed and stopped at random moments. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer } from "effect"
import { Client } from "pg"
import { bundled } from "../fixtures/bundled.ts"
import { chunker, scripted } from "./workspace.ts"

export interface Numbers {
  readonly documents: number
  /** Processes at a time. */
  readonly processes: number
  /** Processes that are killed. */
  readonly kills: number
  /** Processes that are stopped for longer than their lease. */
  readonly stops: number
  /** Documents that are changed, and as many that are deleted, while processes run. */
  readonly changes: number
  /** Requests of a process at a time. */
  readonly concurrency: number
  /** Milliseconds. */
  readonly lease: number
  /** Milliseconds of a parse. */
  readonly delay: number
}

export interface Result {
  readonly kills: number
  readonly stops: number
  readonly ended: number
  /** Requests of all processes, and the most that there may be: documents, changes, and for each kill or stop those in flight. */
  readonly parses: number
  readonly bound: number
  /** Documents whose chunks in the store are not exactly those of their file. */
  readonly wrong: ReadonlyArray<string>
  readonly missing: number
  /** Chunks in the store of which no file is the source. */
  readonly ghosts: number
  /** Documents that the ledger does not count as stored, or that have chunks still to be removed. */
  readonly unsettled: number
  readonly taken: number
  readonly seconds: number
  readonly ok: boolean
}

const script = new URL("sharedRun.ts", import.meta.url)

interface Child {
  readonly process: ChildProcess
  readonly ended: Promise<string>
}

const start = (directory: string, url: string, schema: string, numbers: Numbers): Child => {
  const { concurrency, delay, lease } = numbers
  const child = spawn(
    process.execPath,
    [bundled(script), directory, url, schema, String(lease), String(delay), String(concurrency)],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  let said = ""
  child.stdout.on("data", (part: Buffer) => (said += part.toString()))
  return { process: child, ended: new Promise((resolve) => child.once("close", () => resolve(said))) }
}

/** Ids of the chunks that each document of the folder should have. */
const wanted = (directory: string) =>
  Effect.gen(function* () {
    const store = MemorySink.emptyStore()
    yield* Pipeline.run({
      source: Discovery.discover({ root: join(directory, "docs") }),
      chunker,
      sinks: [yield* MemorySink.make(store)]
    })
    const all = new Map<string, Array<string>>()
    for (const { documentId, id } of store.chunks.values()) all.set(documentId, [...(all.get(documentId) ?? []), id])
    return all
  }).pipe(Effect.provide([Layer.provide(Parser.layer(), scripted()), Tokenizer.layer("chars"), DeadLetter.layerMemory]))

const pause = (milliseconds: number): Promise<void> => sleep(milliseconds)

/** Plays the kills in `directory`, which is empty at first; `random`: numbers from 0 to 1. */
export const play = async (
  directory: string,
  url: string,
  schema: string,
  numbers: Numbers,
  random: () => number
): Promise<Result> => {
  const began = performance.now()
  const file = (at: number): string => join(directory, "docs", `${at % 7}`, `${at}.pdf`)
  const write = (at: number, text: string): void => {
    mkdirSync(dirname(file(at)), { recursive: true })
    writeFileSync(file(at), text)
  }
  for (let at = 0; at < numbers.documents; at++) write(at, `document ${at}`)
  writeFileSync(join(directory, "parses.log"), "")
  let kills = 0
  let stops = 0
  let changes = 0
  let ended = 0
  const running = new Set<Child>()
  const begin = (): void => {
    const child = start(directory, url, schema, numbers)
    running.add(child)
    void child.ended.then((said) => {
      running.delete(child)
      if (said !== "") ended += 1
    })
  }
  const stopped: Array<Promise<void>> = []
  while (kills < numbers.kills || stops < numbers.stops || changes < numbers.changes) {
    while (running.size < numbers.processes) begin()
    await pause(300 + random() * 1200)
    const victim = [...running][Math.floor(random() * running.size)]
    if (changes < numbers.changes) {
      write(changes, `changed ${changes}, and longer than before`)
      rmSync(file(numbers.documents - 1 - changes), { force: true })
      changes += 1
    }
    if (victim === undefined) continue
    if (stops < numbers.stops && random() < 0.5) {
      stops += 1
      victim.process.kill("SIGSTOP")
      stopped.push(pause(numbers.lease * 2).then(() => void victim.process.kill("SIGCONT")))
    } else if (kills < numbers.kills) {
      kills += 1
      victim.process.kill("SIGKILL")
    }
  }
  await Promise.all(stopped)
  await Promise.all([...running].map((child) => child.ended))
  // What is left: documents of processes killed last, and what is gone.
  await pause(numbers.lease + 100)
  await start(directory, url, schema, numbers).ended
  const said = await start(directory, url, schema, numbers).ended
  return check(directory, url, schema, numbers, {
    kills,
    stops,
    ended,
    said,
    seconds: (performance.now() - began) / 1000
  })
}

interface Played {
  readonly kills: number
  readonly stops: number
  readonly ended: number
  readonly said: string
  readonly seconds: number
}

const check = async (
  directory: string,
  url: string,
  schema: string,
  { changes, concurrency, documents }: Numbers,
  { ended, kills, said, seconds, stops }: Played
): Promise<Result> => {
  const client = new Client(url)
  await client.connect()
  const rows = async (sql: string): Promise<ReadonlyArray<ReadonlyArray<unknown>>> =>
    (await client.query<Array<unknown>>({ text: sql, rowMode: "array" })).rows
  const stored = await rows(`SELECT document_id, array_agg(id ORDER BY id) FROM "${schema}".chunks GROUP BY 1`)
  const [[unsettled = 0] = []] = await rows(
    `SELECT (SELECT count(*) FROM "${schema}".document WHERE setting IS NULL OR failure IS NOT NULL
         OR holder IN (SELECT id FROM "${schema}".session WHERE until >= now()))
       + (SELECT count(*) FROM "${schema}".pending)`
  )
  const [[taken = 0] = []] = await rows(`SELECT count(*) FROM "${schema}".document WHERE fence > generation`)
  await client.end()
  const right = await Effect.runPromise(wanted(directory))
  const there = new Map(stored.map(([id, ids]) => [String(id), Array.isArray(ids) ? ids.map(String) : []]))
  const wrong = [...right]
    .filter(([id, ids]) => JSON.stringify(there.get(id) ?? []) !== JSON.stringify(ids.toSorted()))
    .map(([id]) => id)
  const ghosts = [...there.keys()].filter((id) => !right.has(id)).length
  const parses = readFileSync(join(directory, "parses.log"), "utf8").split("\n").length - 1
  const bound = documents + changes + (kills + stops) * concurrency
  const result = {
    kills,
    stops,
    ended,
    parses,
    bound,
    wrong,
    missing: [...right.keys()].filter((id) => !there.has(id)).length,
    ghosts,
    unsettled: Number(unsettled),
    taken: Number(taken),
    seconds: Math.round(seconds)
  }
  const last: unknown = JSON.parse(said)
  const idle = typeof last === "object" && last !== null && "stored" in last && last.stored === 0
  return {
    ...result,
    ok: wrong.length === 0 && ghosts === 0 && result.unsettled === 0 && parses <= bound && idle
  }
}
