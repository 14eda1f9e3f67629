import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { InvalidOptions } from "../../service/ParseOptions.ts"
import { show } from "../base/rules.ts"
import * as AgentJob from "./agentJob.ts"

/** Accepted values of the members, as messages show them. */
const bounds: Readonly<Record<string, string>> = {
  prompt: `a text of 1 to ${AgentJob.maxPromptLength} characters`,
  urls: "a list of addresses",
  schema: "a JSON Schema, an object",
  maxCredits: "a number above 0",
  strictConstrainToURLs: "true or false",
  model: "the name of a model",
  origin: "a text",
  integration: "a text or null"
}

const decode = Schema.decodeUnknownEither(AgentJob.AgentRequest)

const refused = (field: string, value: unknown, bound: string, wrong: string): InvalidOptions =>
  new InvalidOptions({
    issues: [{ field, value, bound, message: `${field === "" ? "the request" : field} ${wrong}; expected ${bound}` }]
  })

const memberOf = (request: object, name: string): unknown => Object.getOwnPropertyDescriptor(request, name)?.value

const fromIssues = (request: object, error: ParseResult.ParseError): InvalidOptions =>
  new InvalidOptions({
    issues: ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => {
      const field = path.map(String).join(".")
      const name = String(path[0] ?? "")
      const value = memberOf(request, name)
      const bound = bounds[name] ?? `one of ${Object.keys(AgentJob.AgentRequest.fields).join(", ")}`
      const shown =
        typeof value === "string" && value.length > 80 ? `a text of ${value.length} characters` : show(value)
      return { field, value, bound, message: `${field === "" ? "the request" : field} is ${shown}; expected ${bound}` }
    })
  })

/** The JSON of a request, checked before anything is sent: members, bounds, and its size. */
export const encode = (request: AgentJob.AgentRequest): Either.Either<Uint8Array, InvalidOptions> =>
  Either.flatMap(
    Either.mapLeft(decode(request, { errors: "all", onExcessProperty: "error" }), (error) =>
      fromIssues(request, error)
    ),
    () =>
      Either.flatMap(
        Either.try({
          try: () => Buffer.from(JSON.stringify(request)),
          catch: () => refused("", undefined, "values that JSON can hold", "cannot be written as JSON")
        }),
        (body) =>
          body.length > AgentJob.maxRequestBytes
            ? Either.left(
                refused(
                  "",
                  undefined,
                  `at most ${AgentJob.maxRequestBytes} bytes as JSON`,
                  `takes ${body.length} bytes`
                )
              )
            : Either.right(body)
      )
  )
