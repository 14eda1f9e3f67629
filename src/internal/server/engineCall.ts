/** The parsing service over HTTP: who may call, what is received, which engine is asked, how it stops. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { Engine, EngineError, EngineFile, EngineInput } from "../../service/Engine.ts"
import type * as ParseOptions from "../../service/ParseOptions.ts"
import { catalogue, RequestTimeout } from "../../service/ServiceError.ts"
import type { ParseResponse } from "../base/parseResponse.ts"
import * as Credits from "./credits.ts"
import { unexpected } from "./unexpected.ts"

/** Time that an engine has beyond `timeout` to report the time-out itself, in milliseconds. */
const grace = 200

const inMemory = ({ content, extension, filename }: EngineFile): EngineInput => ({
  filename,
  extension,
  bytes: content.slice(0, content.length)
})

const parsed = (
  engine: Engine.Service,
  input: EngineInput | EngineFile,
  options: ParseOptions.Resolved
): Effect.Effect<ParseResponse, EngineError> => {
  if ("bytes" in input) return engine.parse(input, options)
  return engine.parseFile === undefined ? engine.parse(inMemory(input), options) : engine.parseFile(input, options)
}

const punctual =
  (timeout: number) =>
  (call: Effect.Effect<ParseResponse, EngineError>): Effect.Effect<ParseResponse, EngineError> =>
    Effect.timeoutFail(Effect.disconnect(call), {
      duration: timeout + grace,
      onTimeout: () =>
        new RequestTimeout({ status: 408, error: catalogue.RequestTimeout.error, code: "SCRAPE_TIMEOUT" })
    })

/**
 * One parse by an engine that is not trusted: a defect becomes a 500, an engine that misses its deadline is abandoned with a 408, and the
 * answer carries the file name and the credits used. With redaction the name is the engine's, which may have redacted it.
 */
export const engineCall = (
  engine: Engine.Service,
  input: EngineInput | EngineFile,
  options: ParseOptions.Resolved
): Effect.Effect<ParseResponse, EngineError> =>
  Effect.suspend(() => parsed(engine, input, options)).pipe(
    Effect.catchAllDefect((defect) => unexpected("the engine failed", defect)),
    options.inParts === true ? identity : punctual(options.timeout),
    Effect.map(({ data, success }) => ({
      success,
      data: {
        ...data,
        metadata: {
          ...data.metadata,
          ...(options.redactPII === false && { sourceURL: input.filename }),
          creditsUsed: Credits.ofParse(options, data.metadata)
        }
      }
    }))
  )
