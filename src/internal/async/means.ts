import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Parser from "../../Parser.ts"
import * as Readers from "../../Readers.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import type * as Means from "../corpus/means.ts"
import { isList } from "../corpus/open.ts"
import * as Parts from "../corpus/parts.ts"
import * as AsyncChunkers from "./chunker.ts"
import { parser } from "./defaultLayers.ts"
import * as AsyncDescribers from "./describer.ts"
import * as AsyncEmbedders from "./embedder.ts"
import type { OpenOptions } from "./options.ts"
import * as AsyncReaders from "./reader.ts"
import * as AsyncTargets from "./target.ts"

/** The parts of a program without Effect: words as they are, everything else as services and effects. */
export const given = (
  options: Omit<OpenOptions, "logger" | "uploads"> & Pick<Means.Given<unknown>, "onFailure">
): Effect.Effect<
  Means.Given<unknown> & { readonly readers: Readers.Readers.Service },
  unknown,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    const { apiKey, chunker, concurrency, dispatcher, embedder, layer, lookAhead, maxBytesInFlight } = options
    const { mode, model, onFailure, outageLimit, rerank, sinkRetry, state, to, tokenizer = "o200k_base" } = options
    const services = layer === undefined ? null : yield* Layer.build(layer)
    const parsing = services ?? (yield* Layer.build(parser(options)))
    const readers = yield* Layer.build(AsyncReaders.layer(options.readers))
    const spelled = services === null && (model === undefined || typeof model === "string")
    return {
      to: isList(to) ? to.map(AsyncTargets.target) : [AsyncTargets.target(to)],
      embedder: AsyncEmbedders.embedding(embedder, dispatcher),
      chunker: AsyncChunkers.given(chunker),
      describe: AsyncDescribers.describer(options.describe),
      parser: Context.get(parsing, Parser.Parser),
      service: spelled ? { ...options, model, key: apiKey !== undefined && apiKey !== "none" } : null,
      tokenizer:
        services === null
          ? yield* Parts.tokenizer(Tokenizer.layer(tokenizer))
          : Effect.succeed(Context.get(services, Tokenizer.Tokenizer)),
      tokenizerName: tokenizer,
      readers: Context.get(readers, Readers.Readers),
      ownReaders: (options.readers ?? []).length > 0,
      dispatcher,
      rerank,
      concurrency,
      lookAhead,
      maxBytesInFlight,
      mode,
      onFailure,
      outageLimit,
      sinkRetry,
      state
    }
  })
