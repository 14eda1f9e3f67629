/** The command line: words in, exit status out. */
import { createRequire } from "node:module"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Suggestion from "../internal/base/suggestion.ts"
import * as Argv from "./Argv.ts"
import * as Colour from "./Colour.ts"
import { commands, isName, type Loaded, type Name, names } from "./commands.ts"
import { Catalogue } from "./completion/Catalogue.ts"
import { ExitStatus, type Status } from "./ExitStatus.ts"
import * as flags from "./flags.ts"
import * as pages from "./help/pages.ts"
import { Invocation } from "./Invocation.ts"
import * as LogLevelFlag from "./LogLevelFlag.ts"
import * as Pages from "./Pages.ts"
import * as Printable from "./Printable.ts"
import * as Settings from "./Settings.ts"
import * as Signals from "./Signals.ts"
import * as Terminal from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

export const { version } = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(
  createRequire(import.meta.url)("docsluice/package.json")
)

const loaded = (name: Name): Effect.Effect<Loaded> => Effect.promise((): Promise<Loaded> => commands[name]())

/** The program with one of its commands. */
const executing = ({ command }: Loaded) =>
  Command.make("docsluice").pipe(
    Command.withSubcommands([command]),
    Command.run({ name: "docsluice", version, executable: "docsluice" })
  )

/** Names of all flags, for the config file, which serves every command. */
const known: ReadonlySet<string> = new Set(Object.values(flags).map(({ name }) => name))

interface Line {
  /** The words in the library's form. */
  readonly words: ReadonlyArray<string>
  readonly quiet: boolean
  readonly command: Loaded
}

/** The command's name, the first word. A word that is none is repeated only where it is like one: another may be a secret. */
const nameOf = (words: ReadonlyArray<string>): Effect.Effect<Name, UsageError> => {
  const first = words[0] ?? ""
  if (isName(first)) return Effect.succeed(first)
  if (first.startsWith("-")) {
    const later = words.find(isName)
    const [flag = ""] = first.split("=")
    const remedy =
      later === undefined ? "docsluice --help shows all of them" : `begin with the command: docsluice ${later}`
    return new UsageError({ problem: `unknown option ${flag}; ${remedy}` })
  }
  const meant = Suggestion.nearest(first, [...names, "help"])
  return new UsageError({
    problem:
      meant === undefined
        ? "there is no such command; docsluice --help shows all of them"
        : `there is no command ${JSON.stringify(first)}; did you mean docsluice ${meant}?`
  })
}

const lineOf = (words: ReadonlyArray<string>): Effect.Effect<Line, UsageError> =>
  Effect.gen(function* () {
    const name = yield* nameOf(words)
    const command = yield* loaded(name)
    const settings = yield* Settings.read(known)
    const complete = yield* Argv.complete(words.slice(1), command.spellings, settings)
    return {
      words: [name, ...Argv.wordsOf(complete)],
      quiet: complete.options.some(({ name }) => name === "quiet"),
      command
    }
  })

/** Writes the page that is asked for. */
const shown = (
  { command, page }: Pages.Asked,
  streams: Terminal.Streams,
  colours: boolean
): Effect.Effect<Status, UsageError> =>
  Effect.gen(function* () {
    if (page === "version") return streams.stdout.write(`${version}\n`)
    const made = yield* command === undefined
      ? pages.ofProgram(page)
      : Effect.flatMap(nameOf([command]), (name) => pages.ofCommand(name, page))
    return streams.stdout.write(Pages.show(made, streams.stdout, colours))
  }).pipe(Effect.as(0))

const failed = (streams: Terminal.Streams, status: Status, text: string) =>
  Effect.as(Terminal.fail(streams, Printable.block(text)), status)

/** With `--quiet` only errors are logged. */
const quietLevel = (level: LogLevel.LogLevel): LogLevel.LogLevel =>
  LogLevel.greaterThan(level, LogLevel.Error) ? level : LogLevel.Error

/** Runs the command line. `words` are those after the program's name. Handles SIGINT and SIGTERM while it runs. */
export const program = (words: ReadonlyArray<string>, streams: Terminal.Streams): Effect.Effect<Status> => {
  const { wanted, words: plain } = Colour.take(words)
  return Effect.gen(function* () {
    const asked = Pages.asked(plain)
    if (asked !== undefined) return yield* shown(asked, streams, wanted)
    const status = yield* Ref.make<Status>(0)
    const signals = yield* Signals.make
    const taken = yield* LogLevelFlag.take(plain, process.env)
    const line = yield* lineOf(taken.words)
    const interrupted = Effect.flatMap(Deferred.await(signals.first), () =>
      signals.isHandled() ? Effect.never : Ref.set<Status>(status, 130)
    )
    const command = executing(line.command)(["node", "docsluice", ...line.words]).pipe(
      Effect.provide(NodeContext.layer),
      Logger.withMinimumLogLevel(line.quiet ? quietLevel(taken.level) : taken.level)
    )
    yield* Effect.raceFirst(command, interrupted).pipe(
      Effect.provideService(ExitStatus, status),
      Effect.provideService(Signals.Signals, signals),
      Effect.provideService(Invocation, words),
      Effect.provideService(Catalogue, pages.catalogue),
      Effect.provideService(Terminal.Terminal, Terminal.make(streams, { quiet: line.quiet, colours: wanted }))
    )
    return yield* status
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) =>
      ValidationError.isValidationError(error) ? Effect.succeed<Status>(64) : failed(streams, 64, error.message)
    ),
    Effect.catchAllCause((cause) => failed(streams, 2, `internal error of docsluice: ${Cause.pretty(cause)}`)),
    Effect.provide(Logger.replace(Logger.defaultLogger, Terminal.logger)),
    Effect.withConsole(Terminal.console(Effect.runSync(Console.consoleWith(Effect.succeed)), streams))
  )
}
