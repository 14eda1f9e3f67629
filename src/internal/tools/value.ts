/** A tool as a value: its name, its arguments as JSON Schema, and the call that carries it out. */
import * as Tool from "@effect/ai/Tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as FirstIssue from "../base/firstIssue.ts"
import { isRecord } from "../base/rules.ts"
import * as ToolErrors from "./toolError.ts"

/**
 * A tool of an agent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Value {
  readonly name: string
  /** What it does and when it is used, for a model. */
  readonly description: string
  /** JSON Schema of its arguments: an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** `nothing`: it reads only. `store`: it adds. `removes`: it takes away. */
  readonly changes: "nothing" | "store" | "removes"
  /** Checks the arguments and carries it out; the result is JSON, a picture in it is base64. */
  readonly call: (input: unknown) => Effect.Effect<Readonly<Record<string, unknown>>, ToolErrors.ToolError>
}

/** A tool whose calls may fail with errors of its own as well. */
export interface ValueOf<E> extends Omit<Value, "call"> {
  readonly call: (input: unknown) => Effect.Effect<Readonly<Record<string, unknown>>, ToolErrors.ToolError | E>
}

/** A tool with schemas, as a toolkit has it. */
interface Described<P, PI, S, SI> {
  readonly name: string
  readonly description?: string | undefined
  readonly parametersSchema: Schema.Schema<P, PI>
  readonly successSchema: Schema.Schema<S, SI>
  readonly annotations: Context.Context<never>
}

/** Arguments that are null are left out: some models send all of them. */
const given = (input: unknown): unknown =>
  isRecord(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : (input ?? {})

const wrong = (error: ParseResult.ParseError): ToolErrors.ToolError => {
  const { message, path } = FirstIssue.of(error)
  const problem = message.replaceAll(/\s+/gu, " ").slice(0, 300)
  return ToolErrors.make(
    "Arguments",
    path === "" ? `The arguments cannot be used: ${problem}.` : `The argument ${path} cannot be used: ${problem}.`,
    "Change it as the tool's schema says, and call again."
  )
}

export const make = <P, PI, S, SI, E = never>(
  tool: Described<P, PI, S, SI>,
  call: (parameters: P) => Effect.Effect<S, ToolErrors.ToolError | E>
): ValueOf<E> => {
  const decode = Schema.decodeUnknown(tool.parametersSchema, { onExcessProperty: "error" })
  const encode = Schema.encode(tool.successSchema)
  const schema: unknown = Tool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast)
  const isObject = isRecord(schema) && schema["type"] === "object"
  const removes = Context.get(tool.annotations, Tool.Destructive)
  return {
    name: tool.name,
    description: tool.description ?? "",
    // That of no parameters would take an array too, which clients refuse.
    inputSchema: isObject ? schema : { type: "object", properties: {}, additionalProperties: false },
    changes: Context.get(tool.annotations, Tool.Readonly) ? "nothing" : removes ? "removes" : "store",
    call: (input) =>
      Effect.mapError(decode(given(input)), wrong).pipe(
        Effect.flatMap(call),
        Effect.flatMap((result): Effect.Effect<unknown> => Effect.orDie(encode(result))),
        Effect.filterOrDieMessage(isRecord, "a tool gave no object")
      )
  }
}
