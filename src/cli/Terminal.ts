/**
 * The two streams of the command line: results to stdout, everything else to stderr, without colour codes where nobody wants
 * them. The only place that writes to them, so that no text of others reaches a terminal as it is.
 */
import * as Cause from "effect/Cause"
import type * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import * as Printable from "./Printable.ts"

export class Terminal extends Context.Tag("docsluice/cli/Terminal")<Terminal, Terminal.Service>() {}

export declare namespace Terminal {
  export interface Service {
    /** A result: one line (a JSON value, for instance), or several; control characters escaped. Succeeds when stdout took it. */
    readonly result: (text: string | ReadonlyArray<string>) => Effect.Effect<void>
    /** A result that is a document, a line break added: as it is to a file or a program, escaped to a terminal. */
    readonly document: (text: string) => Effect.Effect<void>
    /** One line to the person on stderr; control characters escaped. */
    readonly note: (text: string) => Effect.Effect<void>
    /** Draws over the last line of stderr, as far as it goes into the columns. */
    readonly draw: (text: string) => void
    /** Wipes what was drawn. */
    readonly wipe: () => void
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
const colours = /(\u001B\[[0-9;]*m)/g

const write = (stream: Output, text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${Printable.line(text)}\n`).join("")

/** Back to the start of the line, which is emptied. */
const wiped = "\r\u001B[2K"

/** `quiet` silences everything but results. */
export const make = ({ stderr, stdout }: Streams, quiet: boolean): Terminal.Service => ({
  result: (text) => write(stdout, lines(typeof text === "string" ? [text] : text)),
  document: (text) => write(stdout, `${stdout.isTTY === true ? Printable.document(text) : text}\n`),
  note: (text) => (quiet ? Effect.void : write(stderr, lines([text]))),
  draw: (text) => {
    if (!quiet) stderr.write(`${wiped}${Printable.line(text).slice(0, (stderr.columns ?? 80) - 1)}`)
  },
  wipe: () => {
    if (!quiet) stderr.write(wiped)
  },
  interactive: stderr.isTTY === true && process.env["TERM"] !== "dumb",
  columns: stderr.columns ?? 80
})

const plain = (stream: Output): boolean => stream.isTTY !== true || (process.env["NO_COLOR"] ?? "") !== ""

/** Colour codes stay where they are wanted; all else is escaped. */
const coloured = (text: string): string =>
  text
    .split(colours)
    .map((part, at) => (at % 2 === 1 ? part : Printable.document(part)))
    .join("")

/**
 * The console that the command line library prints help and mistakes with. It repeats words of the command line among its own
 * colours, so there are none where one of the words holds a control character.
 */
export const console = (
  base: Console.Console,
  { stderr, stdout }: Streams,
  words: ReadonlyArray<string>
): Console.Console => {
  const printable = words.every((word) => Printable.line(word) === word)
  const print = (stream: Output, args: ReadonlyArray<unknown>): void => {
    const text = args.map(String).join(" ")
    stream.write(`${coloured(plain(stream) || !printable ? text.replaceAll(colours, "") : text)}\n`)
  }
  return {
    ...base,
    log: (...args) => Effect.sync(() => print(stdout, args)),
    error: (...args) => Effect.sync(() => print(stderr, args)),
    // The logger writes here.
    unsafe: { ...base.unsafe, log: (...args) => print(stdout, args), error: (...args) => print(stderr, args) }
  }
}

/** Log messages as one line to a person, annotations after it; of a cause each further line is indented. */
export const logger = Logger.withConsoleError(
  Logger.make(({ annotations, cause, logLevel, message }) => {
    const words = (Array.isArray(message) ? message : [message]).map(String).join(" ")
    const noted = [...HashMap.entries(annotations)].map(([key, value]) => ` ${key}=${String(value)}`).join("")
    const because = Cause.isEmpty(cause) ? "" : `: ${Printable.block(Cause.pretty(cause))}`
    return `${logLevel.label.toLowerCase()}: ${Printable.line(`${words}${noted}`)}${because}`
  })
)
