import { type Counter, make } from "./counter.ts"
import { pack, type Ranks } from "./packed.ts"
import { cl100k, o200k } from "./split.ts"

export type Name = "o200k_base" | "cl100k_base"

/** The build has packed them. */
const packed = (ranks: Ranks | string): string => (typeof ranks === "string" ? ranks : pack(ranks))

const read = {
  o200k_base: () => import("gpt-tokenizer/bpeRanks/o200k_base").then((module) => make(o200k, packed(module.default))),
  cl100k_base: () => import("gpt-tokenizer/bpeRanks/cl100k_base").then((module) => make(cl100k, packed(module.default)))
} as const

const loaded = new Map<Name, Promise<Counter>>()

/** The counter of an encoding; its ranks are read and indexed on the first call, once per process. */
export const load = (name: Name): Promise<Counter> => {
  const known = loaded.get(name)
  if (known !== undefined) {
    return known
  }
  const counter = read[name]()
  loaded.set(name, counter)
  return counter
}
