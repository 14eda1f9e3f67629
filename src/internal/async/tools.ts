import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { OptionError } from "../base/optionError.ts"
import type { Service } from "../corpus/contract.ts"
import type { Options } from "../tools/settings.ts"
import type { Value } from "../tools/value.ts"
import * as Values from "../tools/values.ts"

/** Options of the tools of a handle. */
export type ToolOptions = Options

/** How a call of a tool can be ended: by the name that frameworks give it. */
export interface ToolCall {
  readonly signal?: AbortSignal | undefined
  /** As the AI SDK names it. */
  readonly abortSignal?: AbortSignal | undefined
}

/** A tool as agent frameworks take it. */
export interface AsyncTool extends Omit<Value, "call"> {
  /** Rejects with `ToolError`, whose message says what to do next; the result is JSON, a picture in it is base64. */
  readonly execute: (input: unknown, call?: ToolCall) => Promise<Readonly<Record<string, unknown>>>
}

/** Runs effects as a handle does. */
interface Running {
  readonly run: <A, E>(
    effect: Effect.Effect<A, E>,
    options?: { readonly signal?: AbortSignal | undefined }
  ) => Promise<A>
  /** That of the handle, with which what the tools hold ends. */
  readonly scope: Scope.Scope
}

/** The tools over a corpus. */
export const make = (
  corpus: Service,
  options: ToolOptions | undefined,
  { run, scope }: Running
): Promise<ReadonlyArray<AsyncTool>> => {
  const made: Effect.Effect<Values.Tools, OptionError> = Scope.extend(Values.make(corpus, options), scope)
  return run(
    Effect.map(made, ({ all }) =>
      all.map(({ call, ...tool }) => ({
        ...tool,
        execute: (input, { abortSignal, signal = abortSignal } = {}) => run(call(input), { signal })
      }))
    )
  )
}
