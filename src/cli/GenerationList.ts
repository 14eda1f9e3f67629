/** The generations of one store: the commands that show and change them. */
import * as Effect from "effect/Effect"
import { describeSpace } from "../ChunkSink.ts"
import { counted, isoTime } from "../internal/base/figures.ts"
import * as StoreGenerations from "../internal/corpus/generations.ts"
import { searchedKinds } from "../internal/target/spelling.ts"
import * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import * as Reader from "./Reader.ts"
import * as SearchedStore from "./SearchedStore.ts"
import * as State from "./State.ts"
import * as Table from "./Table.ts"
import { Terminal } from "./Terminal.ts"

/** The store, and how its generations are shown. */
export const takes = {
  target: Command.one(
    Reader.text(
      "TARGET",
      searchedKinds.map((kind) => `${kind}:`)
    )
  ),
  state: flags.state,
  json: flags.json,
  quiet: flags.quiet
}

/** The sink of a spelling. */
export const opened = (target: string) => Effect.flatMap(SearchedStore.read([target]), ({ open }) => open)

/** Prints the generations. */
export const show = (generations: ReadonlyArray<StoreGenerations.StoreGeneration>, json: boolean) =>
  Effect.flatMap(Terminal, ({ result, width }) =>
    result(json ? JSON.stringify(generations) : Table.lines(columns, generations.map(row), width))
  )

const columns: ReadonlyArray<Table.Column> = [
  { title: "generation", kind: "number" },
  { title: "is" },
  { title: "chunks", kind: "number" },
  { title: "vectors" },
  { title: "behind", kind: "number" }
]

const row = ({ behind, chunks, number, since, space, standing }: StoreGenerations.StoreGeneration): Table.Row => [
  String(number),
  since === null ? standing : `${standing} since ${isoTime(since)}`,
  chunks === null ? "" : String(chunks),
  describeSpace(space),
  behind === 0 ? "" : counted(behind, "document")
]

/** A command that changes the generations. */
export const changing = (what: StoreGenerations.GenerationChange, about: Command.Description) =>
  Command.make(about, { ...takes, adopt: flags.adopt }, ({ adopt, json, state, target }) =>
    Effect.gen(function* () {
      yield* State.required(state)
      const changed = Effect.flatMap(opened(target), (sink) => StoreGenerations.change(what, sink, adopt))
      yield* show(yield* Effect.provide(changed, State.ledger(state)), json)
    })
  )

/** The command that shows them. */
export const listing = (about: Command.Description) =>
  Command.make(about, takes, ({ json, state, target }) =>
    Effect.gen(function* () {
      const listed = Effect.flatMap(opened(target), StoreGenerations.list)
      yield* show(yield* Effect.provide(listed, State.ledgerReadOnly(state)), json)
    })
  )
