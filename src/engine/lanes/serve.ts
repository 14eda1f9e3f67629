/**
 * Lane side of the protocol: takes jobs one by one and answers each.
 *
 * This module and its callees use promises and exceptions: no Effect runs in a lane but that of the text formats.
 */
import type { Job, Pages, Part, RefusalReason, Reply } from "../jobs.ts"

/** Thrown by a handler when the document, and not the parser, is at fault. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Returned by a handler whose parser broke during its answer: the host replaces the lane. */
export class LastAnswer {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** The context of a job, for its handler. */
export interface Turn {
  /** When the job arrived, in milliseconds since the epoch: before its handler was loaded. */
  readonly begun: number
  /** Reports to the host that a part of the job begins, which may take `within` milliseconds. */
  readonly beginPart: (within: number) => void
  /** Reports to the host how many pages are done. */
  readonly tellPages: (pages: Omit<Pages, "_tag">) => void
}

/**
 * Converts a job to a value that survives a structured clone, or to a {@link LastAnswer} with one. Loaded when the first job of its kind
 * arrives.
 */
export type Handler = (job: Job, turn: Turn) => Promise<unknown>

/** Handlers by the `kind` of the job. */
export type Handlers = Readonly<Record<string, () => Promise<Handler>>>

/** Narrows a job to the type that a handler is registered for. */
export const handler =
  <J extends Job>(kind: J["kind"], run: (job: J, turn: Turn) => Promise<unknown>): Handler =>
  (job, turn) => {
    const isOwn = (candidate: Job): candidate is J => candidate.kind === kind
    return isOwn(job)
      ? run(job, turn)
      : Promise.reject(new TypeError(`a job of kind ${job.kind} for the handler of ${kind}`))
  }

/** Lane end of the connection to the host. */
export interface Line {
  readonly receive: (listener: (message: unknown) => void) => void
  /** Reports that the lane accepts jobs. */
  readonly ready: () => void
  /** Sends an answer, or word of a part or of pages before it. Throws when it cannot be cloned. */
  readonly send: (reply: Reply | Part | Pages) => void
  /** Memory in bytes that this lane holds. */
  readonly footprint: () => number
}

const isJob = (message: unknown): message is Job =>
  typeof message === "object" && message !== null && "kind" in message && "bytes" in message

const message = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const failed = (cause: unknown, footprint: number): Reply => {
  if (cause instanceof Refusal) {
    return { _tag: "Refused", reason: cause.reason, error: cause.message, footprint }
  }
  if (cause instanceof RangeError) {
    const error = `it is nested too deeply or too large to be parsed (${cause.message})`
    return { _tag: "Refused", reason: "resourceLimit", error, footprint }
  }
  return { _tag: "Threw", error: message(cause), footprint }
}

/** Loads the handler; a reply when that fails, which is not the document's fault. */
const loaded = async (job: Job, handlers: Handlers, footprint: () => number): Promise<Handler | Reply> => {
  const load = handlers[job.kind]
  if (load === undefined) {
    return { _tag: "Unloaded", error: `no handler for jobs of kind ${job.kind}`, footprint: footprint() }
  }
  try {
    return await load()
  } catch (cause) {
    return { _tag: "Unloaded", error: message(cause), footprint: footprint() }
  }
}

const answer = async (job: Job, run: Handler, begun: number, { footprint, send }: Line): Promise<Reply> => {
  try {
    const value = await run(job, {
      begun,
      beginPart: (within) => send({ _tag: "Part", within }),
      tellPages: (pages) => send({ _tag: "Pages", ...pages })
    })
    return value instanceof LastAnswer
      ? { _tag: "Done", value: value.value, footprint: Number.POSITIVE_INFINITY }
      : { _tag: "Done", value, footprint: footprint() }
  } catch (cause) {
    return failed(cause, footprint())
  }
}

/** Reports that the lane is ready, then answers jobs until the host ends it. */
export const serve = (line: Line, handlers: Handlers): void => {
  const take = async (job: Job): Promise<void> => {
    const begun = Date.now()
    const handler = await loaded(job, handlers, line.footprint)
    const reply = typeof handler === "function" ? await answer(job, handler, begun, line) : handler
    try {
      line.send(reply)
    } catch (cause) {
      line.send(failed(cause, line.footprint()))
    }
  }
  line.receive((job) => {
    if (isJob(job)) void take(job)
  })
  line.ready()
}
