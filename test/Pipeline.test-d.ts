import {
  BlockChunker,
  type ChunkSink,
  type DeadLetter,
  Discovery,
  type Ledger,
  type Parser,
  Pipeline,
  Source
} from "docsluice"
import type { Outcome, RunError, Summary } from "docsluice/Outcome"
import type { Tokenizer } from "docsluice/Tokenizer"
import type { Effect, Stream } from "effect"
import { expectTypeOf } from "vitest"

type Sink = ChunkSink.ChunkSink.Service
type Services = Parser.Parser | Tokenizer | DeadLetter.DeadLetter

declare const sink: Sink
declare const removing: ChunkSink.ChunkSink.Removing
declare const appending: ChunkSink.ChunkSink.Appending
declare const mode: Pipeline.Mode
declare const many: ReadonlyArray<Sink>

const folder = Discovery.folder({ root: "docs" })
const chunker = BlockChunker.make()
const sinks = [removing]

/** Without a state: a folder, a bare stream, any sink; no ledger. */
expectTypeOf(Pipeline.run({ source: folder.files, chunker, sinks: [appending, sink] })).toEqualTypeOf<
  Effect.Effect<Summary, Discovery.DiscoveryError | Pipeline.OpenError, Services>
>()
export const forgetful = [Pipeline.run({ source: folder, chunker, sinks })]

/** With a state: its ledger is needed. */
expectTypeOf(Pipeline.run({ source: folder, chunker, sinks, state: {} })).toEqualTypeOf<
  Effect.Effect<Summary, Discovery.DiscoveryError | Pipeline.OpenError, Services | Ledger.Ledger>
>()
expectTypeOf(Pipeline.outcomes({ source: folder, chunker, sinks, state: { mode: "sync" } })).toEqualTypeOf<
  Stream.Stream<Outcome, Discovery.DiscoveryError | RunError, Services | Ledger.Ledger>
>()

/** A bare stream has no scope, whatever the mode. */
export const bare = [
  // @ts-expect-error a stream is no source with a scope
  Pipeline.run({ source: folder.files, chunker, sinks, state: { mode: "sync" } }),
  // @ts-expect-error a stream is no source with a scope
  Pipeline.run({ source: folder.files, chunker, sinks, state: {} }),
  // @ts-expect-error a stream is no source with a scope
  Pipeline.outcomes({ source: folder.files, chunker, sinks, state: { mode: "append" } })
]

/** A source with other files, or another scope, is no source: `Source.part` says what was left out. */
export const copied = [
  // @ts-expect-error a copy of a source is none
  Pipeline.run({ source: { ...folder, files: folder.files }, chunker, sinks, state: { mode: "sync" } }),
  // @ts-expect-error files and a scope that were put together by hand are no source
  Pipeline.run({ source: { files: folder.files, scope: folder.scope, partial: false }, chunker, sinks, state: {} }),
  Pipeline.run({ source: Source.part(folder, (files) => files), chunker, sinks, state: { mode: "sync" } })
]

/** A sink that is known not to remove is for mode append only. */
export const fitting = [
  Pipeline.run({ source: folder, chunker, sinks: [appending, removing, sink], state: { mode: "append" } }),
  // @ts-expect-error the sink cannot remove
  Pipeline.run({ source: folder, chunker, sinks: [appending], state: { mode: "sync" } }),
  // @ts-expect-error the sink cannot remove
  Pipeline.run({ source: folder, chunker, sinks: [appending], state: { mode: "upsert" } }),
  // @ts-expect-error upsert is the default
  Pipeline.run({ source: folder, chunker, sinks: [appending], state: {} }),
  // @ts-expect-error one of the two cannot remove
  Pipeline.run({ source: folder, chunker, sinks: [removing, appending], state: { mode: "sync" } }),
  // @ts-expect-error the mode may be another one than append
  Pipeline.run({ source: folder, chunker, sinks: [appending], state: { mode } })
]

/** Of a sink of which nothing is known the run finds out when it begins. */
export const unknown = [
  Pipeline.run({ source: folder, chunker, sinks: [sink], state: { mode: "sync" } }),
  Pipeline.run({ source: folder, chunker, sinks: many, state: { mode } })
]
