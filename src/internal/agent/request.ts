import * as Either from "effect/Either"
import { BadRequest } from "../../service/ServiceError.ts"
import { check, hasAtMost, isRecord, record, shortString, string, stringOrNull, struct, when } from "../base/rules.ts"
import { defaultMaxCredits, maxPromptLength } from "../client/agentJob.ts"

/** A request of which every member is served. */
export interface Request {
  readonly prompt: string
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  readonly maxCredits: number
  readonly model?: string | undefined
}

/** Members of the public service that this one refuses, with the reason. */
const refused: Readonly<Record<string, string>> = {
  urls: "this service reads the documents that it was started with and fetches nothing",
  strictConstrainToURLs: "this service reads the documents that it was started with and fetches nothing",
  webhook: "this service calls nobody; poll the job or its trace",
  effort: "the interface does not describe it",
  threadId: "this service keeps no threads",
  mode: "the interface does not describe it",
  exchange: "the interface does not describe it",
  threatProtection: "the interface does not describe it"
}

const prompt = when(
  `a text of 1 to ${maxPromptLength} characters`,
  (value) => typeof value === "string" && value.trim() !== "" && hasAtMost(value, maxPromptLength)
)

const maxCredits = when("a number above 0", (value) => typeof value === "number" && Number.isFinite(value) && value > 0)

const rule = struct({
  what: "an object",
  required: { prompt },
  optional: {
    schema: record,
    maxCredits,
    model: shortString(200),
    origin: string,
    integration: stringOrNull
  }
})

const badRequest = (issues: ReadonlyArray<{ readonly field: string; readonly message: string }>): BadRequest =>
  new BadRequest({
    status: 400,
    code: "BAD_REQUEST",
    error: issues.map(({ message }) => message).join("; "),
    details: issues.map(({ field, message }) => ({ field, message }))
  })

/** True for a member that means the same as its absence. */
const asksNothing = (name: string, value: unknown): boolean =>
  value === undefined || value === null || (name === "strictConstrainToURLs" && value === false)

/** Reads the body of a submission. A member that is refused is named with the reason, before all other problems. */
export const decode = (body: unknown): Either.Either<Request, BadRequest> => {
  const given = isRecord(body) ? Object.keys(body).filter((name) => !asksNothing(name, body[name])) : []
  const unserved = given.flatMap((field) => {
    const reason = Object.hasOwn(refused, field) ? refused[field] : undefined
    return reason === undefined ? [] : [{ field, message: `${field} is not supported: ${reason}; leave it out` }]
  })
  if (unserved.length > 0) return Either.left(badRequest(unserved))
  const kept = isRecord(body)
    ? Object.fromEntries(
        Object.entries(body).filter(([name, value]) => !(asksNothing(name, value) && Object.hasOwn(refused, name)))
      )
    : body
  const issues = check(rule, kept)
  if (issues.length > 0 || !isRecord(kept)) return Either.left(badRequest(issues))
  const { maxCredits, model, prompt, schema } = kept
  return Either.right({
    prompt: String(prompt),
    schema: isRecord(schema) ? schema : undefined,
    maxCredits: typeof maxCredits === "number" ? maxCredits : defaultMaxCredits,
    model: typeof model === "string" ? model : undefined
  })
}
