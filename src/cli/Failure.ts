/** Failures of commands: what is said of them, and the exit statuses that they mean. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChunkingError } from "../Chunker.ts"
import type { SinkError } from "../ChunkSink.ts"
import type { DiscoveryError } from "../Discovery.ts"
import type { Worded } from "../internal/base/message.ts"
import { OptionError } from "../internal/base/optionError.ts"
import type { RunStopped } from "../internal/client/runState.ts"
import type { QueueError } from "../internal/run/queueError.ts"
import { RunError } from "../internal/run/runError.ts"
import * as Total from "../internal/run/total.ts"
import type { LedgerError } from "../Ledger.ts"
import type { Foreign } from "../Outcome.ts"
import { Summary } from "../Outcome.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import type { ServiceError } from "../service/ServiceError.ts"
import type { SourceUnavailable } from "../Source.ts"
import type { FileError } from "../SourceFile.ts"
import { type ExitStatus, set, type Status } from "./ExitStatus.ts"
import { Terminal } from "./Terminal.ts"
import { ofOption, type Refused, type UsageError } from "./UsageError.ts"
import * as Words from "./Words.ts"

/** Every error that a command about one document can fail with. */
export type DocumentFailure = Refused | FileError | ServiceError | Foreign | InvalidOptions | ChunkingError | RunStopped

export interface Failed extends Worded {
  readonly _tag: string
}

/** Message of a failure in one line: the event and its subject. */
export const report = (error: Failed): Effect.Effect<void, never, Terminal> =>
  Effect.flatMap(Terminal, (terminal) =>
    terminal.failure(error._tag === "UsageError" ? error.message : `${error._tag}: ${Words.of(error)}`)
  )

/** Prints what `--json` promises of a failure; wrong usage is reported to the person only. */
type Printing = (error: Failed, status: Status, json: boolean) => Effect.Effect<void, never, Terminal>

const print = (value: unknown) => Effect.flatMap(Terminal, ({ result }) => result(JSON.stringify(value)))

/** A run, or a pass of one, that failed as a whole: a summary without documents. */
export const asSummary: Printing = (error, status, json) =>
  json && status === 2 ? print(Schema.encodeSync(Summary)(outright(error))) : Effect.void

/** An object with the error. */
const asObject: Printing = (error, status, json) => {
  const { message, tag } = Words.ofStop(error)
  return json && status !== 64 ? print({ error: { tag, message } }) : Effect.void
}

export const asNothing: Printing = () => Effect.void

/** The summary of a run that failed as a whole. */
export const outright = (error: Failed): Summary =>
  Summary.make({
    ...Total.nothing,
    exit: 2,
    stopped: { ...Words.ofStop(error), ...(isRunError(error) && { error }) }
  })

const isRunError = Schema.is(RunError)

/** Exit statuses of errors by their tag, and by their reason where that decides; of all others it is 2. */
type Statuses<E extends Failed> = {
  readonly [Tag in E["_tag"]]?: Status | { readonly [Reason in ReasonOf<Extract<E, { readonly _tag: Tag }>>]?: Status }
}

type ReasonOf<E> = E extends { readonly reason: infer Reason extends string } ? Reason : never

type Known = Refused | InvalidOptions | DiscoveryError | SourceUnavailable | LedgerError | SinkError | QueueError

/** Errors that are found before any work count as wrong usage. */
const usual: Statuses<Known> = {
  UsageError: 64,
  OptionError: 64,
  InvalidOptions: 64,
  DiscoveryError: { RootMissing: 64, RootNotAFolder: 64, OutsideRoot: 64, Url: 64, NoMatch: 64, NotRead: 64 },
  SourceUnavailable: { NoMatch: 64, Invalid: 64 },
  LedgerError: { NameClash: 64, RootRenamed: 64 },
  SinkError: { Unsupported: 64, Mismatch: 64 },
  QueueError: { Address: 64, Package: 64, Unsupported: 64 }
}

type Rules = Readonly<Record<string, Status | Readonly<Record<string, Status | undefined>> | undefined>>

const find = (rules: Rules, error: Failed & { readonly reason?: unknown }): Status | undefined => {
  const rule = rules[error._tag]
  return typeof rule === "object" ? (rule[String(error.reason)] ?? 2) : rule
}

/** Exit status of a failure in every command that has no other for it. */
export const statusOf = (error: Failed): Status => find(usual, error) ?? 2

/** The error of an option as wrong usage of its flag; any other as it is. */
export const asUsage = <E extends Failed>(error: E): E | UsageError =>
  error instanceof OptionError ? ofOption(error) : error

/** How a command that failed ends. */
export interface Ending<E extends Failed> {
  /** Exit statuses other than the usual ones. */
  readonly status?: Statuses<E> | ((error: E | UsageError) => Status)
  /** Default: an object with the error. */
  readonly json?: Printing
}

/** Reports a failure and sets the exit status that it means. */
export const end = <E extends Failed>(
  failure: E,
  json: boolean,
  { json: printing = asObject, status = {} }: Ending<E>
): Effect.Effect<void, never, Terminal | ExitStatus> => {
  const error = asUsage(failure)
  const exit = typeof status === "function" ? status(error) : (find(status, error) ?? statusOf(error))
  return Effect.all([report(error), printing(error, exit, json), set(exit)], { discard: true })
}

/** Exit statuses of the errors of a file, which concern no other document. */
export const ofFile: Readonly<Record<FileError["_tag"], Status>> = {
  FileChanged: 1,
  FileTooLarge: 1,
  FileUnreadable: 1,
  TextUnreadable: 1,
  UnsupportedFile: 1
}

/** Exit status of `parse`: 1 if the answer concerns this document, 2 if it would concern any document. */
export const ofDocument = (error: DocumentFailure): Status => {
  switch (error._tag) {
    case "UsageError":
    case "OptionError":
    case "InvalidOptions":
      return 64
    case "FileChanged":
    case "FileTooLarge":
    case "FileUnreadable":
    case "UnsupportedFile":
    case "TextUnreadable":
    case "ChunkingError":
    case "Foreign":
      return 1
    case "RunStopped":
      return 2
    default:
      return RetryPolicy.ruleOf(error) === "document" ? 1 : 2
  }
}
