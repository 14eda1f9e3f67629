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
import * as Printable from "./Printable.ts"

export class Terminal extends Context.Tag("docsluice/cli/Terminal")<Terminal, Terminal.Service>() {}

export declare namespace Terminal {
  export interface Service {
    /**
     * Writes a result: one line (a JSON value, for instance), or several; control characters are escaped. Succeeds when stdout has taken
     * it.
     */
    readonly result: (text: string | ReadonlyArray<string>) => Effect.Effect<void>
    /** Writes lines as a result, their bold parts in bold where a terminal shows colours; control characters are escaped. */
    readonly styled: (lines: ReadonlyArray<Line>) => Effect.Effect<void>
    /** Writes a document as a result, and a line break: unchanged to a file or a program, escaped to a terminal. */
    readonly document: (text: string) => Effect.Effect<void>
    /** Writes a line for the person to stderr; control characters are escaped. */
    readonly note: (text: string) => Effect.Effect<void>
    /** Redraws the last line of stderr, cut to the terminal's columns. */
    readonly draw: (text: string) => void
    /** Removes the drawn line. */
    readonly wipe: () => void
    /** True if stderr is a terminal, so that a line can be redrawn. */
    readonly interactive: boolean
    /** Present width of the terminal in columns. */
    readonly columns: number
  }
}

/** A line in parts. */
export type Line = ReadonlyArray<{ readonly text: string; readonly bold: boolean }>

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

const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${Printable.line(text)}\n`).join("")

const bold = (text: string): string => `\u001B[1m${text}\u001B[22m`

/** Returns to the start of the line and empties it. */
const wiped = "\r\u001B[2K"

/** Streams whose last line is a drawn one. */
const drawn = new WeakSet<Output>()

/** `quiet` silences everything but results. */
export const make = ({ stderr, stdout }: Streams, quiet: boolean): Terminal.Service => ({
  result: (text) => write(stdout, lines(typeof text === "string" ? [text] : text)),
  styled: (all) => {
    const shown = Colour.plain(stdout) ? (text: string) => text : bold
    const line = (parts: Line) =>
      parts.map((part) => (part.bold ? shown(Printable.line(part.text)) : Printable.line(part.text))).join("")
    return write(stdout, all.map((parts) => `${line(parts)}\n`).join(""))
  },
  document: (text) => write(stdout, `${stdout.isTTY === true ? Printable.document(text) : text}\n`),
  note: (text) => (quiet ? Effect.void : write(stderr, lines([text]))),
  draw: (text) => {
    if (quiet) return
    drawn.add(stderr)
    stderr.write(`${wiped}${Printable.line(text).slice(0, (stderr.columns ?? 80) - 1)}`)
  },
  wipe: () => {
    if (quiet) return
    drawn.delete(stderr)
    stderr.write(wiped)
  },
  interactive: stderr.isTTY === true && process.env["TERM"] !== "dumb",
  get columns() {
    return stderr.columns ?? 80
  }
})

/** Keeps colour codes and escapes all other control characters. */
const coloured = (text: string): string =>
  text
    .split(Colour.codes)
    .map((part, at) => (at % 2 === 1 ? part : Printable.document(part)))
    .join("")

/**
 * Console for help and errors of the command line library. Its colours mix with words of the command line, so they are left out if one of
 * these holds a control character.
 */
export const console = (
  base: Console.Console,
  { stderr, stdout }: Streams,
  words: ReadonlyArray<string>
): Console.Console => {
  const printable = words.every((word) => Printable.line(word) === word)
  const print = (stream: Output, args: ReadonlyArray<unknown>): void => {
    const text = args.map(String).join(" ")
    // A message takes the place of the progress line, which is drawn again after it.
    const start = drawn.delete(stream) ? wiped : ""
    stream.write(`${start}${coloured(Colour.plain(stream) || !printable ? Colour.without(text) : text)}\n`)
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
