/** Texts and numbers of the ledger's rows, the same in every database. */
import { crc32 } from "node:zlib"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { corrupted } from "../libsql.ts"
import * as StoredError from "../storedError.ts"
import { Acknowledgement, type Failure, Report, type Sighting } from "./entry.ts"

/** Settings shared by a whole run: kept once and referred to by number. */
export const Setting = Schema.Struct({
  optionsHash: Schema.String,
  identity: Schema.String,
  configuration: Schema.String,
  embedder: Schema.NullOr(Schema.String),
  /** Missing in rows of earlier versions, and where nothing was lacked. */
  lacked: Schema.optional(Schema.Array(Schema.String))
})

export type Setting = typeof Setting.Type

const FailureBody = Schema.Struct({
  ...StoredError.fields,
  retryable: Schema.Boolean,
  contentHash: Schema.NullOr(Schema.String),
  optionsHash: Schema.String,
  identity: Schema.String,
  attempts: Schema.Number,
  at: Schema.Number,
  /** Missing in rows of schema 1, where a failure is final when it is not retryable. */
  final: Schema.optional(Schema.Boolean),
  /** Missing in rows of schema 1. */
  targets: Schema.optional(Schema.Array(Schema.String))
})

const decoder = <A, I>(schema: Schema.Schema<A, I>, what: string) => {
  const decode = Schema.decodeUnknownEither(Schema.parseJson(schema))
  return (source: string): A => {
    const decoded = decode(source)
    if (Either.isRight(decoded)) return decoded.right
    throw corrupted(`${what} is not readable`)
  }
}

const encoder = <A, I>(schema: Schema.Schema<A, I>) => Schema.encodeSync(Schema.parseJson(schema))

/** Values made by this process are written as they are: checking each of them again would cost more than the write. */
const json = (value: object): string => JSON.stringify(value)

const ackOf = ({ embedder, sink, store }: Acknowledgement): Acknowledgement => ({
  sink,
  store,
  ...(embedder !== undefined && { embedder })
})

const acknowledgements = Schema.Array(Acknowledgement)
export const decodeSetting = decoder(Setting, "a setting")
export const encodeSetting = ({ configuration, embedder, identity, lacked = [], optionsHash }: Setting): string =>
  json({ optionsHash, identity, configuration, embedder, ...(lacked.length > 0 && { lacked }) })
export const decodeAcks = decoder(acknowledgements, "a list of acknowledgements")
export const encodeAcks = (acks: ReadonlyArray<Acknowledgement>): string => json(acks.map(ackOf))
const decodeAnyReport = decoder(Report, "a report")
const encodeAnyReport = encoder(Report)

const plainReport =
  /^\{"pages":(\d{1,15}),"credits":(\d{1,15}),"tokens":(\d{1,15}),"truncated":(true|false),"warnings":\[\]\}$/

/** Reports without warnings, which nearly all are, are read without their schema, which takes ten times as long. */
export const decodeReport = (source: string): Report => {
  const plain = plainReport.exec(source)
  if (plain === null) return decodeAnyReport(source)
  const [, pages, credits, tokens, truncated] = plain
  return {
    pages: Number(pages),
    credits: Number(credits),
    tokens: Number(tokens),
    truncated: truncated === "true",
    warnings: []
  }
}
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** Throws, as its schema does, for a report that could not be read again. */
export const checkReport = (report: Report): void => {
  const { credits, pages, tokens } = report
  if (!isCount(pages) || !isCount(tokens) || !Number.isFinite(credits)) encodeAnyReport(report)
}

/** The text of a report that {@link checkReport} took. */
export const encodeReport = ({ credits, pages, tokens, truncated, warnings }: Report): string =>
  json({ pages, credits, tokens, truncated, warnings })

const decodeBody = decoder(FailureBody, "a failure")
const encodeBody = encoder(FailureBody)

/** A failure without its sighting and its request, which stand in columns of their own. */
export type FailureText = Omit<Failure, keyof Sighting | "request">

export const encodeFailure = (failure: Failure): string => {
  const { error, fingerprint: _, size: __, checkedAt: ___, request: ____, ...body } = failure
  return encodeBody({ ...StoredError.of(error), ...body })
}

export const decodeFailure = (source: string): FailureText => {
  const { error, final, message, tag, targets, ...rest } = decodeBody(source)
  return {
    error: StoredError.errorOf({ error, message, tag }),
    ...rest,
    final: final ?? !rest.retryable,
    targets: targets ?? []
  }
}

/** Sorted, so that equal sets share one row. */
export const canonical = (acks: ReadonlyArray<Acknowledgement>): ReadonlyArray<Acknowledgement> =>
  acks.map(ackOf).toSorted((left, right) => (left.sink < right.sink ? -1 : left.sink > right.sink ? 1 : 0))

export const checksum = (hash: Uint8Array, chunks: Uint8Array, report: string): number =>
  crc32(report, crc32(chunks, crc32(hash)))
