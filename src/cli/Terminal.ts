/**
 * Output of the command line: results to stdout, everything else to stderr, without colour codes unless wanted. The only module that
 * writes to the two streams, so that no text of others reaches a terminal unescaped.
 */
import * as Cause from "effect/Cause"
import type * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import * as Colour from "./Colour.ts"
import * as Columns from "./Columns.ts"
import * as Line from "./Line.ts"
import * as Printable from "./Printable.ts"

export class Terminal extends Context.Tag("docsluice/cli/Terminal")<Terminal, Terminal.Service>() {}

export declare namespace Terminal {
  export interface Service {
    /**
     * Writes a result: one line (a JSON value, for instance), or several, which may have styles; control characters are escaped. Succeeds
     * when stdout has taken it.
     */
    readonly result: (text: string | ReadonlyArray<Line.Line>) => Effect.Effect<void>
    /** Writes a document as a result, and a line break: unchanged to a file or a program, escaped to a terminal. */
    readonly document: (text: string) => Effect.Effect<void>
    /** Writes a line for the person to stderr, broken between words on a terminal; control characters are escaped. */
    readonly note: (text: string) => Effect.Effect<void>
    /** As `note`, for the reason of a failure: no manner of output leaves it out. */
    readonly failure: (text: string) => Effect.Effect<void>
    /** As `note`, for the last line of a process that ends at once: written when it returns. */
    readonly lastWord: (text: string) => void
    /** Redraws the last line of stderr, cut to the terminal's columns. */
    readonly draw: (text: string) => void
    /** Removes the drawn line. */
    readonly wipe: () => void
    /** True if stderr is a terminal, so that a line can be redrawn. */
    readonly interactive: boolean
    /** Present width of the terminal in columns. */
    readonly columns: number
    /** Columns of a line of results: those of the terminal, and no bound where they go to a file or a program. */
    readonly width: number
  }
}

/** The part of a process stream that is used here; a test can substitute it. */
export interface Output {
  readonly write: (text: string, done?: () => void) => unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

export interface Streams {
  readonly stdout: Output
  readonly stderr: Output
}

const write = (stream: Output, text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

const lines = (all: ReadonlyArray<Line.Line>, colours: boolean): string =>
  all.map((line) => `${Line.show(line, colours)}\n`).join("")

/** Returns to the start of the line and empties it. */
const wiped = "\r\u001B[2K"

/** Streams whose last line is a drawn one. */
const drawn = new WeakSet<Output>()

export interface Manner {
  /** Silences everything but results and the reasons of failures. */
  readonly quiet: boolean
  /** False leaves colours out wherever they go. */
  readonly colours: boolean
}

const isTerminal = (stream: Output): boolean => stream.isTTY === true

/** Columns of a terminal; one that does not tell them has 80. */
const columnsOf = (stream: Output): number => Math.max(20, stream.columns || 80)

/** Lines of a message, which takes the place of the progress line; that is drawn again after it. */
const noted = (stderr: Output, text: string): string =>
  (drawn.delete(stderr) ? wiped : "") +
  lines(Columns.wrap(text, isTerminal(stderr) ? columnsOf(stderr) : Infinity, 2), false)

export const make = ({ stderr, stdout }: Streams, { colours, quiet }: Manner): Terminal.Service => ({
  result: (text) => write(stdout, lines(typeof text === "string" ? [text] : text, colours && !Colour.plain(stdout))),
  document: (text) => write(stdout, `${isTerminal(stdout) ? Printable.document(text) : text}\n`),
  note: (text) => (quiet ? Effect.void : Effect.suspend(() => write(stderr, noted(stderr, text)))),
  failure: (text) => Effect.suspend(() => write(stderr, noted(stderr, text))),
  lastWord: (text) => {
    if (!quiet) stderr.write(noted(stderr, text))
  },
  draw: (text) => {
    if (quiet) return
    drawn.add(stderr)
    stderr.write(`${wiped}${Columns.start(Printable.line(text), columnsOf(stderr) - 1)}`)
  },
  wipe: () => {
    if (quiet) return
    drawn.delete(stderr)
    stderr.write(wiped)
  },
  interactive: isTerminal(stderr) && process.env["TERM"] !== "dumb",
  get columns() {
    return columnsOf(stderr)
  },
  get width() {
    return isTerminal(stdout) ? columnsOf(stdout) : Infinity
  }
})

/** A text of several lines as {@link noted} has each of them. */
const blockOf = (stream: Output, text: string): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => noted(stream, line))
    .join("")

/** Writes an error of the command line as a whole, which ends it. */
export const fail = ({ stderr }: Streams, text: string): Effect.Effect<void> => write(stderr, blockOf(stderr, text))

/** Console of loggers. */
export const console = (base: Console.Console, { stderr, stdout }: Streams): Console.Console => {
  const print = (stream: Output, args: ReadonlyArray<unknown>): void => {
    stream.write(blockOf(stream, args.map(String).join(" ")))
  }
  return {
    ...base,
    log: (...args) => Effect.sync(() => print(stdout, args)),
    error: (...args) => Effect.sync(() => print(stderr, args)),
    // Loggers write through `unsafe`.
    unsafe: { ...base.unsafe, log: (...args) => print(stdout, args), error: (...args) => print(stderr, args) }
  }
}

/** Log messages as one line each, with their annotations after them; further lines of a cause are indented. */
export const logger = Logger.withConsoleError(
  Logger.make(({ annotations, cause, logLevel, message }) => {
    const words = (Array.isArray(message) ? message : [message]).map(String).join(" ")
    const noted = [...HashMap.entries(annotations)].map(([key, value]) => ` ${key}=${String(value)}`).join("")
    const because = Cause.isEmpty(cause) ? "" : `: ${Printable.block(Cause.pretty(cause))}`
    return `${logLevel.label.toLowerCase()}: ${Printable.line(`${words}${noted}`)}${because}`
  })
)
