/** One parse of a caller: priced, in turn for a parser, paid for and written into the audit log. */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Accounts } from "../../service/Accounts.ts"
import type { Engine, EngineFile, EngineInput } from "../../service/Engine.ts"
import type * as ParseOptions from "../../service/ParseOptions.ts"
import type { PageCounter } from "../base/pageCounter.ts"
import type { ParseResponse } from "../base/parseResponse.ts"
import type { Account } from "./account.ts"
import * as admissions from "./admission.ts"
import type { AnsweredError } from "./api.ts"
import * as AuditLog from "./auditLog.ts"
import * as Credits from "./credits.ts"
import { engineCall } from "./engineCall.ts"
import { unexpected } from "./unexpected.ts"

/** Services of a parse. */
export interface Meter {
  readonly engine: Engine.Service
  readonly admission: admissions.Admission
  readonly spending: Accounts.Service
  /** Pages of a PDF, where they can be counted before the parse. */
  readonly pages: PageCounter.Service["pages"] | undefined
  readonly audit: AuditLog.AuditLog.Service | undefined
}

/** A text that is read without the engine. */
export interface Text {
  readonly file: Pick<EngineFile, "filename" | "content">
  readonly asked: ParseOptions.Resolved
}

/** A request that has been read. */
export interface Upload {
  readonly input: EngineInput | EngineFile
  readonly options: ParseOptions.Resolved
}

/** Bytes of a file in which the mark of a PDF may stand. */
const headBytes = 1024

const sizeOf = (input: Pick<EngineInput, "bytes"> | Pick<EngineFile, "content">): number =>
  ("bytes" in input ? input.bytes : input.content).length

/** The bytes of an upload up to an offset; read from the disk where they are in a file. */
const bytesOf = (input: Upload["input"], end: number): Uint8Array =>
  "bytes" in input ? input.bytes.subarray(0, end) : input.content.slice(0, Math.min(end, input.content.length))

/** True for a PDF, whatever its name says. */
export const isPdf = (input: Upload["input"]): boolean =>
  input.extension === "pdf" || Buffer.from(bytesOf(input, headBytes)).includes("%PDF-")

/** Credits that the parse will cost; a PDF whose pages cannot be counted is priced as one page. */
const priceOf = ({ pages }: Meter, account: Account, { input, options }: Upload): Effect.Effect<number> =>
  account.limited && pages !== undefined && isPdf(input)
    ? Effect.map(pages(bytesOf(input, sizeOf(input))), (counted) =>
        Credits.ofParse(options, {
          numPages: Math.min(
            Option.getOrElse(counted, () => 1),
            options.pdf.maxPages ?? Number.POSITIVE_INFINITY
          )
        })
      )
    : Effect.succeed(Credits.ofParse(options, {}))

/** The part of an audit entry that the answer decides. */
interface Outcome {
  readonly status: number
  readonly code?: string | undefined
  readonly credits: number
}

/** Facts about a request for its log entry. */
interface Named {
  readonly input: Upload["input"] | Text["file"]
  readonly options: ParseOptions.Resolved
}

const entryOf = (account: Account, { input, options }: Named, outcome: Outcome): Effect.Effect<AuditLog.Entry> =>
  Effect.map(
    DateTime.now,
    (at) =>
      new AuditLog.Entry({
        at,
        key: account.name === "" ? undefined : account.name,
        username: options.auditMetadata?.username,
        origin: options.origin,
        integration: options.integration ?? undefined,
        file: options.zeroDataRetention ? undefined : input.filename,
        bytes: sizeOf(input),
        ...outcome
      })
  )

const audited = (
  { audit }: Pick<Meter, "audit">,
  account: Account,
  upload: Named,
  outcome: Outcome
): Effect.Effect<void, AuditLog.AuditLogError> =>
  audit === undefined ? Effect.void : Effect.flatMap(entryOf(account, upload, outcome), audit.write)

const unaudited = ({ message }: AuditLog.AuditLogError) => unexpected("a parse could not be audited", message)

/** True for a parse that may wait for a language model for most of its time. */
const isLong = ({ formats, redactPII }: ParseOptions.Resolved): boolean =>
  formats.some(({ type }) => type === "json" || type === "summary") ||
  redactPII === true ||
  (redactPII !== false && (redactPII.mode ?? "accurate") === "accurate")

/**
 * The answer to an upload within the account's credits. `parsed` is told the seconds that the parse took. An answer that was paid for
 * has its entry in the log.
 */
export const parse = (
  meter: Meter,
  account: Account,
  upload: Upload,
  parsed: (seconds: number) => void
): Effect.Effect<ParseResponse, AnsweredError> => {
  const { input } = upload
  const call = (options: ParseOptions.Resolved) =>
    Effect.flatMap(Clock.currentTimeMillis, (started) =>
      Effect.ensuring(
        engineCall(meter.engine, input, options),
        Effect.map(Clock.currentTimeMillis, (now) => parsed((now - started) / 1000))
      )
    )
  const { options } = upload
  const inTurn = meter.admission.parsing(account, { within: options.timeout, long: isLong(options) }, (left) =>
    call({ ...options, timeout: left })
  )
  const recorded = (credits: number) =>
    Effect.zipRight(
      audited(meter, account, upload, { status: 200, credits }),
      account.limited ? meter.spending.spend(account.name, credits) : Effect.void
    )
  return Effect.flatMap(priceOf(meter, account, upload), (price) =>
    admissions.charged(account, price, recorded, inTurn)
  ).pipe(
    Effect.catchAll((error: AnsweredError) =>
      audited(meter, account, upload, { status: error.status, code: error.code, credits: 0 }).pipe(
        Effect.catchAll(unaudited),
        Effect.zipRight(Effect.fail(error))
      )
    )
  )
}

/** What `self` reads of a text, within what the account may ask for. It costs nothing, and has its entry in the log. */
export const read = <A, E extends { readonly status: number }>(
  meter: Pick<Meter, "audit">,
  account: Account,
  { asked, file }: Text,
  self: Effect.Effect<A, E>
): Effect.Effect<A, E | AnsweredError> =>
  Effect.suspend((): Effect.Effect<A, E | AnsweredError> => {
    const options = account.allowed(asked)
    if ("_tag" in options) return options
    const entered = (status: number) =>
      Effect.catchAll(audited(meter, account, { input: file, options }, { status, credits: 0 }), unaudited)
    return self.pipe(Effect.tapBoth({ onFailure: ({ status }) => entered(status), onSuccess: () => entered(200) }))
  })
