import { type Counter, make } from "./counter.ts"
import { pack, type Ranks } from "./packed.ts"
import { cl100k, o200k } from "./split.ts"

export type Name = "o200k_base" | "cl100k_base"

/** The build has packed them. */
const packed = (ranks: Ranks | string): string => (typeof ranks === "string" ? ranks : pack(ranks))

/** A counter that is made by its first call: a run in which nothing changed counts nothing. */
const later = (open: () => Counter): Counter => {
  let made: Counter | undefined
  const counter = (): Counter => (made ??= open())
  return { count: (text, start, end) => counter().count(text, start, end), read: (text) => counter().read(text) }
}

const read = {
  o200k_base: () =>
    import("gpt-tokenizer/bpeRanks/o200k_base").then(({ default: ranks }) => later(() => make(o200k, packed(ranks)))),
  cl100k_base: () =>
    import("gpt-tokenizer/bpeRanks/cl100k_base").then(({ default: ranks }) => later(() => make(cl100k, packed(ranks))))
} as const

const loaded = new Map<Name, Promise<Counter>>()

/** The counter of an encoding; its ranks are read on the first call and indexed by the first count, once per process. */
export const load = (name: Name): Promise<Counter> => {
  const known = loaded.get(name)
  if (known !== undefined) {
    return known
  }
  const counter = read[name]()
  loaded.set(name, counter)
  return counter
}
