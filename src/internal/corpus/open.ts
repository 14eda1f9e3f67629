import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { SinkError } from "../../ChunkSink.ts"
import type { EmbeddingCacheError } from "../../EmbeddingCache.ts"
import type * as State from "../../State.ts"
import { OptionError } from "../base/optionError.ts"
import * as Secret from "../target/secret.ts"
import type { Service } from "./contract.ts"
import * as ForeignEmbedder from "./foreignEmbedder.ts"
import * as Made from "./make.ts"
import * as Means from "./means.ts"
import * as Memory from "./memory.ts"
import type * as options from "./options.ts"
import * as Searching from "./searching.ts"

/** A corpus of the parts; opens the state, then the rest. Fails before anything is created where an option cannot be used. */
export const corpus = <E>({
  uploads = "uploads",
  ...given
}: Means.Given<E> & Pick<options.PartsOptions, "uploads">): Effect.Effect<
  Service,
  E | OptionError | State.StateError | EmbeddingCacheError | SinkError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    if (given.to.length === 0) return yield* new OptionError({ option: "to", problem: "name a target" })
    const means = yield* Means.make<E>(given)
    const memory = yield* Memory.open({ state: means.state })
    // Opened once, by the first of the two that needs it.
    const paid = yield* Layer.memoize(memory.vectors)
    const embedder = yield* means.embedder(paid)
    const reranker = yield* means.reranker(paid)
    // `none` asks that no query gets a vector.
    const environment = given.embedder === "none" ? null : yield* Secret.environment
    const vectors = yield* Searching.vectors(embedder, environment)
    return yield* Made.make({ means, memory: memory.services, embedder, reranker, vectors, uploads })
  })

const alive = (embedder: Exclude<options.PartsOptions["embedder"], string | undefined>) =>
  "digest" in embedder ? () => Effect.succeed(embedder) : ForeignEmbedder.embedding(embedder)

/** The corpus of the options, with a parser and a tokenizer. `service`: the words of that parser. */
export const given = (
  { chunker, embedder, to, ...rest }: options.PartsOptions,
  parts: Pick<Means.Given<never>, "parser" | "service" | "tokenizer" | "tokenizerName">
) => {
  const opening = (target: options.Target) =>
    typeof target === "object" && "id" in target ? Effect.succeed(target) : target
  return corpus<SinkError>({
    mode: undefined,
    state: undefined,
    ...rest,
    ...parts,
    chunker,
    to: isList(to) ? to.map(opening) : [opening(to)],
    embedder: typeof embedder === "object" ? alive(embedder) : embedder
  })
}

export const isList = <A>(given: A | ReadonlyArray<A>): given is ReadonlyArray<A> => Array.isArray(given)
