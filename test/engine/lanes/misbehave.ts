import { setTimeout as sleep } from "node:timers/promises"
import { handler, Refusal, type Handler } from "../../../src/engine/lanes/serve.ts"

const identity = `${process.pid} ${Math.random()}`

const loop = (): Promise<unknown> => {
  for (;;) {
    // Nothing: only the end of the lane ends it.
  }
}

const allocate = async (): Promise<unknown> => {
  const kept: Array<Array<number>> = []
  for (;;) {
    kept.push(Array.from({ length: 10_000 }, () => kept.length))
  }
}

const recurse = (depth: number): number => 1 + recurse(depth + 1)

/** A job of each kind that a parser might turn out to be. */
const behaviours: Readonly<Record<string, (bytes: Uint8Array) => Promise<unknown>>> = {
  length: async (bytes) => bytes.length,
  slow: (bytes) => sleep(100, bytes.length),
  identity: async () => identity,
  loop,
  allocate,
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
  abort: async () => process.abort()
}

export const handlers: Readonly<Record<string, () => Promise<Handler>>> = Object.fromEntries(
  Object.entries(behaviours).map(([kind, behave]) => [kind, async () => handler(kind, (job) => behave(job.bytes))])
)
