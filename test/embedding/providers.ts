/** Doubles of providers of embeddings: each answers as the provider does, and refuses what it refuses. */
import { type Asked, base64, cohere as cohereAnswer, ok, type Reaction, vectorOf } from "./server.ts"

/** The only key that they take. */
export const key = "key-of-the-provider"

const refusal = (status: number, body: unknown): Reaction => ({ status, body })

const isUnknown = ({ authorization }: Asked): boolean => authorization !== `Bearer ${key}`

const lengthOf = (asked: unknown, otherwise: number): number => (typeof asked === "number" ? asked : otherwise)

const listed = (input: ReadonlyArray<string>, embedding: (text: string) => unknown, model: unknown): Reaction =>
  ok(
    input.map((text, index) => ({ object: "embedding", index, embedding: embedding(text) })),
    { object: "list", model, usage: { prompt_tokens: 1, total_tokens: 1 } }
  )

/** A vector of a document and one of a query differ. */
const ofKind = (kind: unknown, text: string, length: number) => vectorOf(`${String(kind)}: ${text}`, length)

export const cohere = (asked: Asked): Reaction => {
  const { body, input } = asked
  const no = (status: number, message: string) => refusal(status, { id: "1", message })
  if (isUnknown(asked)) return no(401, "invalid api token")
  const kind = body["input_type"]
  if (kind !== "search_document" && kind !== "search_query") {
    return no(400, "invalid request: valid input_type must be provided with the provided model")
  }
  if (input.length > 96) {
    return no(400, `invalid request: total number of texts must be at most 96 - received ${input.length}`)
  }
  const flexible = String(body["model"]).startsWith("embed-v4")
  if (!flexible && "output_dimension" in body) return no(400, "output_dimension is not supported by this model")
  const length = lengthOf(body["output_dimension"], flexible ? 1536 : 1024)
  return cohereAnswer(input.map((text) => ofKind(kind, text, length)))
}

export const voyage = (asked: Asked): Reaction => {
  const { body, input } = asked
  if (isUnknown(asked)) return refusal(401, { detail: "Provided API key is invalid." })
  if ("dimensions" in body) return refusal(400, { detail: "Argument 'dimensions' is not supported by our API" })
  if (input.length > 1000) return refusal(400, { detail: "The batch size limit is 1000." })
  const length = lengthOf(body["output_dimension"], 1024)
  const vector = (text: string) => ofKind(body["input_type"], text, length)
  return listed(
    input,
    (text) => (body["encoding_format"] === "base64" ? base64(vector(text)) : vector(text)),
    body["model"]
  )
}

/** Google's server of OpenAI's protocol: errors come in a list, a wrong key is a 400, and shorter vectors are not of length 1. */
export const google = (asked: Asked): Reaction => {
  const { body, input } = asked
  const no = (message: string) => refusal(400, [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }])
  if (isUnknown(asked)) return no("API key not valid. Please pass a valid API key.")
  if (input.length > 100) {
    return no("* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n")
  }
  const length = lengthOf(body["dimensions"], 3072)
  return listed(input, (text) => vectorOf(text, length).map((number) => 0.7 * number), body["model"])
}

/** Mistral: lists where base64 is asked for, and no `dimensions`. */
export const mistral = (asked: Asked): Reaction => {
  const { body, input } = asked
  if (isUnknown(asked)) return refusal(401, { detail: "Unauthorized" })
  const no = (message: unknown) => refusal(400, { object: "error", message, type: "invalid_request_error" })
  if ("dimensions" in body) {
    const loc = ["body", "dimensions"]
    return no({ detail: [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted" }] })
  }
  const flexible = String(body["model"]).startsWith("codestral-embed")
  if ("output_dimension" in body && !flexible) return no("Model mistral-embed does not support output_dimension")
  return listed(input, (text) => vectorOf(text, lengthOf(body["output_dimension"], 1024)), body["model"])
}

/** Azure: a model is the name of a deployment. */
export const azure = (asked: Asked): Reaction => {
  const { body, input } = asked
  const no = (status: number, code: string, message: string) => refusal(status, { error: { code, message } })
  if (isUnknown(asked)) return no(401, "401", "Access denied due to invalid subscription key or wrong API endpoint.")
  if (body["model"] !== "my-deployment") {
    return no(404, "DeploymentNotFound", "The API deployment for this resource does not exist.")
  }
  const vector = (text: string) => vectorOf(text, lengthOf(body["dimensions"], 1536))
  return listed(
    input,
    (text) => (body["encoding_format"] === "base64" ? base64(vector(text)) : vector(text)),
    body["model"]
  )
}
