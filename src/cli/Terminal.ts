import type * as Console from "effect/Console"
/**
 * The two streams of the command line: results to stdout, everything else to stderr, without colour codes where nobody wants
 * them.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

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

// oxlint-disable-next-line no-control-regex -- the escape character is what colour codes begin with
const colours = /\u001B\[[0-9;]*m/g

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

/** `quiet` silences everything but results. */
export const make = (quiet: boolean): Terminal.Service => ({
  result: (text) => write(process.stdout, `${text}\n`),
  note: (text) => (quiet ? Effect.void : write(process.stderr, `${text}\n`)),
  status: (text) => {
    if (!quiet) process.stderr.write(text)
  },
  interactive: process.stderr.isTTY && process.env["TERM"] !== "dumb",
  columns: process.stderr.columns ?? 80
})

const plain = (stream: NodeJS.WriteStream): boolean => !stream.isTTY || (process.env["NO_COLOR"] ?? "") !== ""

const line = (stream: NodeJS.WriteStream, args: ReadonlyArray<unknown>): void => {
  const text = args.map(String).join(" ")
  stream.write(`${plain(stream) ? text.replaceAll(colours, "") : text}\n`)
}

/** The console that the command line library prints help and mistakes with. */
export const console = (base: Console.Console): Console.Console => ({
  ...base,
  log: (...args) => Effect.sync(() => line(process.stdout, args)),
  error: (...args) => Effect.sync(() => line(process.stderr, args))
})
