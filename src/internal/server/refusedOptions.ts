import type { InvalidOptions } from "../../service/ParseOptions.ts"
import { BadRequest } from "../../service/ServiceError.ts"

/** Options of other operations of the service; parse refuses them with a specific code. */
const unsupported = new Set([
  "waitFor",
  "actions",
  "location",
  "mobile",
  "maxAge",
  "minAge",
  "storeInCache",
  "lockdown",
  "proxy"
])

/** Names options of other operations as such; all members of a format of another operation count as one. */
const codeOf = ({ issues }: InvalidOptions): string => {
  const formats = issues.flatMap(({ field }) => /^(formats\[\d+\]\.)type$/.exec(field)?.[1] ?? [])
  return issues.every(({ field }) => unsupported.has(field) || formats.some((format) => field.startsWith(format)))
    ? "PARSE_UNSUPPORTED_OPTIONS"
    : "BAD_REQUEST"
}

/** The 400 for options that break a rule of the interface; names fields and bounds, never values, which may be secret. */
export const refusal = (error: InvalidOptions): BadRequest =>
  new BadRequest({
    status: 400,
    error: error.message,
    code: codeOf(error),
    details: error.issues.map(({ bound, field, message }) => ({ field, bound, message }))
  })
