/** The tools of an agent's run: those of any agent that give texts, and two of its own. */
import * as Tool from "@effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { type Agent, AgentFailed, type RunError } from "../../internal/agent/runner.ts"
import * as Fence from "../../internal/tools/fence.ts"
import type { Library } from "../../internal/tools/library.ts"
import * as Texts from "../../internal/tools/texts.ts"
import * as ToolErrors from "../../internal/tools/toolError.ts"
import * as Value from "../../internal/tools/value.ts"
import * as Model from "../model/Model.ts"
import * as Dialogue from "./Dialogue.ts"
import * as Requests from "./requests.ts"

/** Documents that are asked at a time. */
const most = { documents: 8 } as const

const writeArtifact = Tool.make("write_artifact", {
  description: "Keeps a text of yours, for instance a table or a report, under a file name.",
  parameters: { name: Schema.String, content: Schema.String },
  success: Schema.Struct({ kept: Schema.String })
})

const askDocuments = Tool.make("ask_documents", {
  description: `Asks a question of up to ${most.documents} documents, each read from its beginning by an agent of its own, and gives their notes.`,
  parameters: {
    question: Schema.String,
    documents: Schema.Array(Schema.String).annotations({
      description: "Paths or ids of documents, as list and search give them."
    })
  },
  success: Schema.Struct({
    notice: Schema.String,
    documents: Schema.Array(
      Schema.Struct({
        source: Schema.String,
        /** Ids of the passages that were read. */
        chunks: Schema.Array(Schema.String),
        /** Fenced. */
        notes: Schema.String
      })
    )
  })
})

/** A run, as far as its tools need it. */
export interface Run {
  readonly model: Model.Model
  readonly library: Library
}

/** Where the store fails, the run does: a model would take an answer that it did not get for one that is not there. */
const orFail = (error: ToolErrors.ToolError): Effect.Effect<ToolErrors.ToolError, AgentFailed> =>
  error.reason === "Unavailable" || error.reason === "Failed"
    ? new AgentFailed({
        error: "the documents cannot be searched; the service has logged why",
        retryable: error.reason === "Unavailable"
      })
    : Effect.succeed(error)

interface Study {
  readonly source: string
  readonly chunks: ReadonlyArray<string>
  readonly notes: string
}

/** Notes of a sub-agent on one document. */
const studied =
  ({ library, model }: Run, question: string, source: string) =>
  (agent: Agent): Effect.Effect<Study, RunError> =>
    Effect.gen(function* () {
      const room = Model.partSize(model)
      const { read } = Texts.handlers({ ...library, room })
      const part = yield* read({ source, maxTokens: room })
      const notes = yield* Requests.note(model, agent, Dialogue.study(question, part))
      return { source: part.source, chunks: part.chunks, notes }
    }).pipe(
      Effect.catchTag("ToolError", (error) =>
        Effect.map(orFail(error), ({ message }) => ({ source, chunks: [], notes: message }))
      )
    )

/** What a call gives a model: a result, or an error that the model can mend. */
export interface Called {
  readonly isFailure: boolean
  readonly result: unknown
}

export interface Tools {
  readonly offer: Requests.Offer
  readonly call: (name: string, params: unknown) => Effect.Effect<Called, RunError>
}

/** In the order in which the model is told of them. */
const all = (run: Run, agent: Agent): ReadonlyArray<Value.ValueOf<RunError>> => {
  const { list, outline, read, search, verify } = Texts.values(run.library)
  return [
    search,
    outline,
    list,
    read,
    verify,
    Value.make(writeArtifact, ({ content, name }) =>
      Effect.as(agent.write({ artifactId: name, kind: "text", change: "update", path: name, content }), { kept: name })
    ),
    Value.make(askDocuments, ({ documents, question }) =>
      Effect.gen(function* () {
        const each = [...new Set(documents)].slice(0, most.documents)
        const fibers = yield* Effect.forEach(each, (source) => agent.delegate(source, studied(run, question, source)))
        const studies = yield* Effect.forEach(fibers, Fiber.join)
        const fence = Fence.make()
        return {
          notice: fence.notice,
          documents: studies.map(({ chunks, notes, source }) => ({
            source,
            chunks,
            notes: fence.around(notes)
          }))
        }
      })
    )
  ]
}

const named = (name: string): ToolErrors.ToolError =>
  ToolErrors.make("Arguments", `There is no tool ${JSON.stringify(name)}.`, "Call one of those that there are.")

/** The tools of one agent of a run. */
export const make = (run: Run, agent: Agent): Tools => {
  const tools = all(run, agent)
  return {
    offer: Requests.offer(tools),
    call: (name, params) => {
      const tool = tools.find((one) => one.name === name)
      return (tool?.call(params) ?? Effect.fail(named(name))).pipe(
        Effect.map((result) => ({ isFailure: false, result })),
        Effect.catchTag("ToolError", (error) =>
          Effect.map(orFail(error), ({ next, problem, reason }) => ({
            isFailure: true,
            result: { error: { reason, problem, next } }
          }))
        )
      )
    }
  }
}
