import { existsSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { handler, Refusal, type Handler, type Turn } from "../../../src/engine/lanes/serve.ts"

const identity = `${process.pid} ${Math.random()}`

const loop = (): Promise<unknown> => {
  for (;;) {
    // Nothing: only the end of the lane ends it.
  }
}

const allocate = async (): Promise<unknown> => {
  const kept: Array<Array<number>> = []
  for (;;) {
    kept.push(Array.from<number>({ length: 100_000 }).fill(kept.length))
  }
}

/** Outside of the heap that V8 bounds. */
const allocateBuffers = (): Promise<unknown> => {
  const kept: Array<Uint8Array> = []
  for (;;) kept.push(new Uint8Array(8_388_608).fill(1))
}

const sink = new Map<number, { readonly value: number }>()

/** Grows inside of one allocation, which V8 answers by ending the process. */
const fillMap = (): Promise<unknown> => {
  for (let value = 0; ; value++) sink.set(value, { value })
}

const recurse = (depth: number): number => 1 + recurse(depth + 1)

/** As native code does. */
const abort = (): Promise<unknown> => {
  process.kill(process.pid, "SIGABRT")
  return sleep(3_600_000)
}

/** A job of each kind that a parser might turn out to be. */
const behaviours: Readonly<Record<string, (bytes: Uint8Array, turn: Turn) => Promise<unknown>>> = {
  length: async (bytes) => bytes.length,
  slow: (bytes) => sleep(100, bytes.length),
  long: (bytes) => sleep(1500, bytes.length),
  /** Takes longer than a job of three seconds may, and no part of it takes longer than the part may. */
  parts: async (bytes, { beginPart }) => {
    beginPart(60_000)
    await sleep(3500)
    beginPart(60_000)
    return bytes.length
  },
  endlessPart: (_, { beginPart }) => {
    beginPart(100)
    return sleep(3_600_000)
  },
  identity: async () => identity,
  process: async () => process.pid,
  /** Ends the process that this document has for the first time, by the file whose name it holds. */
  onceLethal: async (bytes) => {
    const mark = new TextDecoder().decode(bytes)
    if (existsSync(mark)) return "survived"
    writeFileSync(mark, "")
    return abort()
  },
  /** Ends the first process, and keeps the second for long. */
  lethalThenSlow: async (bytes) => {
    const mark = new TextDecoder().decode(bytes)
    if (existsSync(mark)) return sleep(3_600_000)
    writeFileSync(mark, "")
    return abort()
  },
  loop,
  allocate,
  allocateBuffers,
  fillMap,
  /** More than an answer may have. */
  huge: async () => "x".repeat(140_000_000),
  uncloneable: async () => () => 0,
  recurse: async () => recurse(0),
  print: async () => {
    process.stdout.write("noise on stdout\n")
    process.stderr.write("noise on stderr\n")
    return 0
  },
  refuse: async () => {
    throw new Refusal("encrypted", "it has a password")
  },
  throw: async () => {
    throw new TypeError("a bug")
  },
  exit: async () => process.exit(3),
  abort,
  hang: () => sleep(3_600_000)
}

export const handlers: Readonly<Record<string, () => Promise<Handler>>> = {
  ...Object.fromEntries(
    Object.entries(behaviours).map(([kind, behave]) => [
      kind,
      async () => handler(kind, (job, turn) => behave(job.bytes, turn))
    ])
  ),
  unloadable: () => Promise.reject(new Error("no such module"))
}
