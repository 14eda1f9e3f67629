import * as Either from "effect/Either"
import type { Metadata, ParseData } from "../service/ParseResponse.ts"

/** Why a body is no answer to a parse. */
export interface Malformed {
  readonly reason: "NoSuccess" | "NoData" | "NoMarkdown"
  readonly error: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isData = (value: Record<string, unknown>): value is ParseData & Record<string, unknown> =>
  isRecord(value["metadata"])

const noMetadata: Metadata = {}

/** The envelope strictly, the rest as it came. */
export const decodeEnvelope = (
  body: unknown,
  expected: { readonly markdownRequested: boolean }
): Either.Either<ParseData, Malformed> => {
  if (!isRecord(body) || body["success"] !== true) {
    const error = isRecord(body) && typeof body["error"] === "string" ? body["error"] : "success is not true"
    return Either.left({ reason: "NoSuccess", error })
  }
  const data = body["data"]
  if (!isRecord(data)) return Either.left({ reason: "NoData", error: "the answer has no data" })
  if (expected.markdownRequested && typeof data["markdown"] !== "string") {
    return Either.left({ reason: "NoMarkdown", error: "the answer has no markdown" })
  }
  const complete = { ...data, metadata: isRecord(data["metadata"]) ? data["metadata"] : noMetadata }
  return isData(complete) ? Either.right(complete) : Either.left({ reason: "NoData", error: "the answer has no data" })
}
