/** Messages of the Model Context Protocol as JSON-RPC has them: read from text, and the answers to those that cannot be read. */
import * as McpSchema from "@effect/ai/McpSchema"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as FirstIssue from "../base/firstIssue.ts"
import { isRecord } from "../base/rules.ts"

/** Id of a request, as its client chose it. */
export type Id = string | number

export interface Request {
  readonly _tag: "Request"
  readonly id: Id
  readonly method: string
  readonly params: unknown
  /** Under which the client wants to be told of its progress; undefined if it does not. */
  readonly progress: Id | undefined
}

export type Received =
  | Request
  | { readonly _tag: "Notification"; readonly method: string; readonly params: unknown }
  /** Nothing is to be done: an answer to a request that was never made. */
  | { readonly _tag: "Answer" }
  | { readonly _tag: "Refused"; readonly answer: Answer }

/** What goes back to a client: an answer or a notification. */
export interface Answer {
  readonly jsonrpc: "2.0"
  readonly [member: string]: unknown
}

export const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const

export const failed = (id: Id | null, code: number, message: string): Answer => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

const isId = (value: unknown): value is Id =>
  typeof value === "string" || (typeof value === "number" && Number.isFinite(value))

/** Longest part of a problem that an answer repeats. */
const longest = 300

const problemOf = (error: ParseResult.ParseError): string => {
  const { message, path } = FirstIssue.of(error)
  return `${path}: ${message}`.slice(0, longest)
}

/** A call without arguments has none, which the schema does not say. */
const completed = (method: string, params: unknown): unknown =>
  method === "tools/call" && isRecord(params) && params["arguments"] === undefined
    ? { ...params, arguments: {} }
    : params

const requestOf = (id: Id, method: string, given: unknown): Received => {
  const rpc = McpSchema.ClientRequestRpcs.requests.get(method)
  const refused = (code: number, message: string): Received => ({ _tag: "Refused", answer: failed(id, code, message) })
  if (rpc === undefined || unsupported.has(method)) {
    return refused(codes.method, `this server has no method ${JSON.stringify(method.slice(0, longest))}`)
  }
  const params = completed(method, given ?? {})
  const schema: Schema.Schema.AnyNoContext = rpc.payloadSchema
  const decoded = Schema.decodeUnknownEither(schema)(params)
  if (Either.isLeft(decoded)) return refused(codes.params, problemOf(decoded.left))
  const meta = isRecord(params) ? params["_meta"] : undefined
  const token = isRecord(meta) ? meta["progressToken"] : undefined
  return { _tag: "Request", id, method, params, progress: isId(token) ? token : undefined }
}

/** Methods for which the library has no more than a refusal. */
const unsupported: ReadonlySet<string> = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"])

/** Reads one message; total. */
export const read = (text: string): Received => {
  const json = Schema.decodeEither(Schema.parseJson())(text)
  if (Either.isLeft(json)) return { _tag: "Refused", answer: failed(null, codes.parse, "the message is not JSON") }
  const message = json.right
  const refused = (id: Id | null, problem: string): Received => ({
    _tag: "Refused",
    answer: failed(id, codes.request, problem)
  })
  if (Array.isArray(message)) return refused(null, "batches are not taken; send one message at a time")
  if (!isRecord(message) || message["jsonrpc"] !== "2.0") return refused(null, "the message is not one of JSON-RPC 2.0")
  const { id, method, params } = message
  if (method === undefined && ("result" in message || "error" in message)) return { _tag: "Answer" }
  if (typeof method !== "string") return refused(isId(id) ? id : null, "the message has no method")
  if (!("id" in message)) return { _tag: "Notification", method, params }
  return isId(id) ? requestOf(id, method, params) : refused(null, "the id of a request is a text or a number")
}
