/** The command line: words in, exit status out. */
import { createRequire } from "node:module"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Suggestion from "../internal/base/suggestion.ts"
import { Prompt } from "../internal/drive/prompt.ts"
import * as Argv from "./Argv.ts"
import type { Command } from "./Command.ts"
import { commands, isName, type Loaded, type Name, names } from "./commands.ts"
import { Catalogue } from "./completion/Catalogue.ts"
import { ExitStatus, type Status } from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import * as Everywhere from "./flags/everywhere.ts"
import * as pages from "./help/pages.ts"
import { Invocation } from "./Invocation.ts"
import * as Pages from "./Pages.ts"
import * as Printable from "./Printable.ts"
import * as Settings from "./Settings.ts"
import * as Signals from "./Signals.ts"
import * as Terminal from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

export const { version } = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(
  createRequire(import.meta.url)("docsluice/package.json")
)

/** The services that commands need. */
type Needed = Loaded["command"] extends Command<infer R> ? R : never

const load = (name: Name): Effect.Effect<Command<Needed>> =>
  Effect.map(
    Effect.promise((): Promise<{ readonly command: Command<Needed> }> => commands[name]()),
    ({ command }) => command
  )

/** Names that a config file, which serves every command, may hold. */
const settable: ReadonlySet<string> = new Set([...Object.values(flags), ...Everywhere.settable].map(({ name }) => name))

/** A word that names no command is repeated only where it is like one: another may be a secret. */
const nameOf = (word: string): Effect.Effect<Name, UsageError> => {
  if (isName(word)) return Effect.succeed(word)
  const meant = Suggestion.nearest(word, [...names, "help"])
  return new UsageError({
    problem:
      meant === undefined
        ? "there is no such command; docsluice --help shows all of them"
        : `there is no command ${JSON.stringify(word)}; did you mean docsluice ${meant}?`
  })
}

/** Refuses flags before the command's name, but those of every command. */
const checkLeading = (leading: ReadonlyArray<string>, command: string | undefined): Effect.Effect<void, UsageError> => {
  const flag = leading
    .filter((word) => word.startsWith("-"))
    .map((word) => word.split("=")[0])
    .find((spelled) => Everywhere.settable.every(({ name }) => spelled !== `--${name}`))
  if (flag === undefined) return Effect.void
  const remedy =
    command === undefined || !isName(command)
      ? "docsluice --help shows all of them"
      : `begin with the command: docsluice ${command}`
  return new UsageError({ problem: `unknown option ${flag}; ${remedy}` })
}

const read = (words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const at = Pages.commandAt(words)
    const leading = words.slice(0, at < 0 ? undefined : at)
    yield* checkLeading(leading, words[at])
    const command = yield* load(yield* nameOf(words[at] ?? ""))
    const settings = yield* Settings.read(settable)
    const own = [...leading, ...words.slice(at + 1)]
    return { command, line: yield* Argv.complete(own, [...command.flags, ...Everywhere.settable], settings) }
  })

/** Writes the page that is asked for. */
const showPage = (
  { colours, command, page }: Pages.Asked,
  { stdout }: Terminal.Streams
): Effect.Effect<Status, UsageError> =>
  Effect.gen(function* () {
    if (page === "version") return stdout.write(`${version}\n`)
    const made = yield* command === undefined
      ? pages.ofProgram(page)
      : Effect.flatMap(nameOf(command), (name) => pages.ofCommand(name, page))
    return stdout.write(Pages.show(made, stdout, colours))
  }).pipe(Effect.as(0))

const failed = (streams: Terminal.Streams, status: Status, text: string) =>
  Effect.as(Terminal.fail(streams, Printable.block(text)), status)

/** With `--quiet` only errors are logged. */
const quietLevel = (level: LogLevel.LogLevel): LogLevel.LogLevel =>
  LogLevel.greaterThan(level, LogLevel.Error) ? level : LogLevel.Error

/** Shows a user of a terminal how to sign in. */
const prompt = ({ note }: Terminal.Terminal.Service) => ({
  onCode: (address: string, code: string) => note(`open ${address} and enter ${code}`),
  onAddress: (address: string) => note(`open in a browser of this machine: ${address}`)
})

const running = (words: ReadonlyArray<string>, streams: Terminal.Streams) =>
  Effect.gen(function* () {
    const status = yield* Ref.make<Status>(0)
    const signals = yield* Signals.make
    const { command, line } = yield* read(words)
    const quiet = yield* flags.quiet.of(line)
    const level = yield* Everywhere.logLevel.of(line)
    const colours = !(yield* Everywhere.noColor.of(line))
    const interrupted = Effect.flatMap(Deferred.await(signals.first), () =>
      signals.isHandled() ? Effect.never : Ref.set<Status>(status, 130)
    )
    const run = command
      .run(line)
      .pipe(
        Effect.provide([NodeFileSystem.layer, NodePath.layer]),
        Logger.withMinimumLogLevel(quiet ? quietLevel(level) : level)
      )
    const terminal = Terminal.make(streams, { quiet, colours })
    yield* Effect.raceFirst(run, interrupted).pipe(
      Effect.provideService(Prompt, terminal.interactive && !quiet ? prompt(terminal) : null),
      Effect.provideService(ExitStatus, status),
      Effect.provideService(Signals.Signals, signals),
      Effect.provideService(Invocation, words),
      Effect.provideService(Catalogue, pages.catalogue),
      Effect.provideService(Terminal.Terminal, terminal)
    )
    return yield* status
  })

/** Runs the command line. `words` are those after the program's name. Handles SIGINT and SIGTERM while it runs. */
export const program = (words: ReadonlyArray<string>, streams: Terminal.Streams): Effect.Effect<Status> => {
  const asked = Pages.asked(words)
  return (asked === undefined ? running(words, streams) : showPage(asked, streams)).pipe(
    Effect.scoped,
    Effect.catchAll((error) => failed(streams, 64, error.message)),
    Effect.catchAllCause((cause) => failed(streams, 2, `internal error of docsluice: ${Cause.pretty(cause)}`)),
    Effect.provide(Logger.replace(Logger.defaultLogger, Terminal.logger)),
    Effect.withConsole(Terminal.console(Effect.runSync(Console.consoleWith(Effect.succeed)), streams))
  )
}
