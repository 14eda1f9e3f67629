import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { shortened } from "../chunking/tokens/cluster.ts"

/**
 * A call of a tool that gave nothing, in words for the agent that made it.
 *
 * `Arguments`: they cannot be used as they are. `UnknownDocument`, `UnknownPlace`: the store has no such document, or the document no such
 * page, heading or passage. `Ambiguous`: several fit. `Changed`: the document is another one than that which the cursor is from. `NoPicture`:
 * the page cannot be drawn. `NothingStored`: the store is empty. `Unsupported`: this store cannot do it. `Unavailable`: it may work later.
 * `Failed`: it does not work, and another call of the same kind will not either.
 *
 * @since 0.1.0
 * @category errors
 */
export class ToolError extends Schema.TaggedError<ToolError>("docsluice/ToolError")("ToolError", {
  reason: Schema.Literal(
    "Arguments",
    "UnknownDocument",
    "Ambiguous",
    "UnknownPlace",
    "Changed",
    "NoPicture",
    "NothingStored",
    "Unsupported",
    "Unavailable",
    "Failed"
  ),
  /** What happened, in one sentence. */
  problem: Schema.String,
  /** What to do next, in one sentence. */
  next: Schema.String
}) {
  override get message(): string {
    return `${this.problem} ${this.next}`
  }
}

/** Longest problem, since it may repeat what a call has given. */
const most = 1000

export const make = (reason: ToolError["reason"], problem: string, next: string): ToolError =>
  new ToolError({ reason, problem: shortened(problem, most), next })

/** Longest text of another system that an error repeats. */
const longest = 500

const later = "Try again in a minute; if it fails again, tell the user."
const tell = "Tell the user, who can change the server's settings."

/** An error of the corpus for an agent; addresses and folders that it names are not repeated. */
const ofTag = (error: { readonly _tag: string; readonly message: string; readonly reason?: unknown }): ToolError => {
  switch (`${error._tag} ${String(error.reason)}`) {
    case "SearchError NoStore":
      return make("NothingStored", "Nothing is stored yet.", "Tell the user that no document was ingested.")
    case "SearchError NotSearchable":
      return make(
        "Unsupported",
        "This store cannot do that: it can be searched but not read, or read but not searched.",
        "Use search and verify, or list, outline and read, whichever are answered."
      )
    case "SearchError NoVectors":
    case "SearchError NoEmbedder":
    case "SearchError OtherEmbedder":
      return make("Unsupported", "This store cannot be searched by meaning.", 'Search with "mode": "words".')
    case "SinkError Unsupported":
      return make("Unsupported", "This store cannot do that.", "Leave out filter and kinds, or use another tool.")
    case "SinkError Rejected":
      return make("Arguments", `The store refuses it: ${error.message.slice(0, longest)}.`, "Change the arguments.")
    case "DiscoveryError NoMatch":
      return make("Arguments", "The folder has no such files.", "Give other patterns, or none for all of it.")
    case "LedgerError NameClash":
      return make(
        "Failed",
        "The state knows another folder as this root.",
        "Tell the user to start the server with that folder, or with another name for this one."
      )
    case "SinkError Unavailable":
      return make("Unavailable", "The store does not answer.", later)
    default:
  }
  switch (error._tag) {
    case "FilterError":
    case "OptionError":
      return make("Arguments", `${error.message.slice(0, longest)}.`, "Change the arguments.")
    case "RerankError":
    case "EmbeddingError":
      return make("Unavailable", "The model that the search needs does not answer.", 'Search with "mode": "words".')
    case "CorpusClosed":
      return make("Failed", "The server is being stopped.", tell)
    default:
      return make("Failed", `It failed as ${error._tag}; the server has logged why.`, tell)
  }
}

/** An agent is not told of the cause, so the server's log has it: what only the user can mend as a warning. */
const logged = ({ reason }: ToolError, cause: string): Effect.Effect<void> => {
  const text = `a tool failed: ${cause}`
  return reason === "Failed" || reason === "Unavailable" ? Effect.logWarning(text) : Effect.logDebug(text)
}

/** Fails as a tool. */
export const ofCorpus = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, ToolError, R> =>
  Effect.catchAll(effect, (error) => {
    if (error instanceof ToolError) return Effect.fail(error)
    const told = ofTag(error)
    return Effect.zipRight(logged(told, error.message), told)
  })
