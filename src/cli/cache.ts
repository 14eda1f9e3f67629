/** `docsluice cache`: size and age of the parse cache. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { binarySized, isoTime } from "../internal/base/figures.ts"
import { ParseCache, type Stats } from "../ParseCache.ts"
import * as Columns from "./Columns.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"

const takes = {
  state: flags.state,
  clear: flags.clear,
  maxSize: flags.maxSize,
  json: flags.json,
  quiet: flags.quiet
}

const about: Command.Description = {
  name: "cache",
  summary: "size and age of the parse cache",
  description: "Shows how large and old the parse cache is, also during a run; empties or trims it.",
  exits: "0 done, 1 nothing to show, 2 could not, 64 wrong usage",
  examples: ["docsluice cache --max-size 500MB"]
}

export const command = Command.make(about, takes, ({ clear, json, maxSize, state }) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const acts = clear || Option.isSome(maxSize)
    const there = yield* State.hasCache(state)
    const stats = there
      ? yield* Effect.provide(tended(clear, maxSize), acts ? State.cache(state) : State.cacheReadOnly(state))
      : none
    yield* terminal.result(json ? JSON.stringify(encoded(stats)) : Columns.wrap(text(stats), terminal.width, 2))
    yield* ExitStatus.set(stats.entries === 0 && !acts ? 1 : 0)
  })
)

const none: Stats = { entries: 0, bytes: 0, maxBytes: 0, oldest: null, newest: null }

const tended = (clear: boolean, maxSize: Option.Option<number>) =>
  Effect.gen(function* () {
    const cache = yield* ParseCache
    if (clear) yield* cache.clear
    if (Option.isSome(maxSize)) yield* cache.trim(maxSize.value)
    return yield* cache.stats
  })

const encoded = (stats: Stats) => ({
  entries: stats.entries,
  bytes: stats.bytes,
  oldest: isoTime(stats.oldest),
  newest: isoTime(stats.newest)
})

const text = (stats: Stats): string =>
  stats.entries === 0
    ? "the parse cache is empty"
    : `${stats.entries} answers, ${binarySized(stats.bytes)}, from ${isoTime(stats.oldest)} to ${isoTime(stats.newest)}`
