/**
 * The two streams of the command line: results to stdout, everything else to stderr, without colour codes where nobody wants
 * them.
 */
import * as Cause from "effect/Cause"
import type * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"

export class Terminal extends Context.Tag("docsluice/cli/Terminal")<Terminal, Terminal.Service>() {}

export declare namespace Terminal {
  export interface Service {
    /** One result, a line break added; succeeds when the stream took it. */
    readonly result: (text: string) => Effect.Effect<void>
    /** One word to the person, a line break added. */
    readonly note: (text: string) => Effect.Effect<void>
    /** Writes to stderr as it is. */
    readonly status: (text: string) => void
    /** Whether stderr is a terminal, so that a line can be drawn over. */
    readonly interactive: boolean
    /** Columns of the terminal. */
    readonly columns: number
  }
}

/** The little of a stream of the process that is used here, so that a test can read what a user would. */
export interface Output {
  readonly write: (text: string, done?: () => void) => unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export interface Streams {
  readonly stdout: Output
  readonly stderr: Output
}

// oxlint-disable-next-line no-control-regex -- the escape character is what colour codes begin with
const colours = /\u001B\[[0-9;]*m/g

const write = (stream: Output, text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

/** `quiet` silences everything but results. */
export const make = ({ stderr, stdout }: Streams, quiet: boolean): Terminal.Service => ({
  result: (text) => write(stdout, `${text}\n`),
  note: (text) => (quiet ? Effect.void : write(stderr, `${text}\n`)),
  status: (text) => {
    if (!quiet) stderr.write(text)
  },
  interactive: stderr.isTTY === true && process.env["TERM"] !== "dumb",
  columns: stderr.columns ?? 80
})

const plain = (stream: Output): boolean => stream.isTTY !== true || (process.env["NO_COLOR"] ?? "") !== ""

const line = (stream: Output, args: ReadonlyArray<unknown>): void => {
  const text = args.map(String).join(" ")
  stream.write(`${plain(stream) ? text.replaceAll(colours, "") : text}\n`)
}

/** The console that the command line library prints help and mistakes with. */
export const console = (base: Console.Console, { stderr, stdout }: Streams): Console.Console => ({
  ...base,
  log: (...args) => Effect.sync(() => line(stdout, args)),
  error: (...args) => Effect.sync(() => line(stderr, args)),
  // What the logger writes to.
  unsafe: {
    ...base.unsafe,
    log: (...args) => line(stdout, args),
    error: (...args) => line(stderr, args)
  }
})

/** Log messages as one line to a person; what is annotated stands behind. */
export const logger = Logger.withConsoleError(
  Logger.make(({ annotations, cause, logLevel, message }) => {
    const words = (Array.isArray(message) ? message : [message]).map(String).join(" ")
    const noted = [...HashMap.entries(annotations)].map(([key, value]) => ` ${key}=${String(value)}`).join("")
    const because = Cause.isEmpty(cause) ? "" : `: ${Cause.pretty(cause)}`
    return `${logLevel.label.toLowerCase()}: ${words}${noted}${because}`
  })
)
