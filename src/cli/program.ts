/** The command line: words in, exit status out. */
import { createRequire } from "node:module"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Argv from "./Argv.ts"
import { commands, isName, type Loaded, type Name, names } from "./commands.ts"
import { ExitStatus, type Status } from "./ExitStatus.ts"
import * as flags from "./flags.ts"
import * as LogLevelFlag from "./LogLevelFlag.ts"
import * as Printable from "./Printable.ts"
import * as Settings from "./Settings.ts"
import * as Signals from "./Signals.ts"
import * as Terminal from "./Terminal.ts"
import type { UsageError } from "./UsageError.ts"

const { version } = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(
  createRequire(import.meta.url)("docsluice/package.json")
)

const loaded = (name: Name): Effect.Effect<Loaded> => Effect.promise((): Promise<Loaded> => commands[name]())

/** The program with some of its commands. */
const executing = ([first, ...others]: Arr.NonEmptyReadonlyArray<Loaded>) =>
  Command.make("docsluice").pipe(
    Command.withDescription(
      "Streams documents into RAG stores: discover, parse, chunk, store. Example: docsluice ingest docs --to jsonl:chunks.jsonl"
    ),
    Command.withSubcommands([first.command, ...others.map(({ command }) => command)]),
    Command.run({ name: "docsluice", version, executable: "docsluice" })
  )

/** Names of all flags, for the config file, which serves every command. */
const known: ReadonlySet<string> = new Set(Object.values(flags).map(({ name }) => name))

interface Line {
  /** The words in the library's form; those of an unknown command are passed on, for its message. */
  readonly words: ReadonlyArray<string>
  readonly quiet: boolean
  /** The command that the words name, or all. */
  readonly commands: Arr.NonEmptyReadonlyArray<Loaded>
}

const lineOf = (words: ReadonlyArray<string>): Effect.Effect<Line, UsageError> =>
  Effect.gen(function* () {
    const at = words.findIndex((word) => !word.startsWith("-"))
    const name = words[at] ?? ""
    if (!isName(name)) {
      const all = yield* Effect.forEach(names, loaded)
      return { words: words.length === 0 ? ["--help"] : words, quiet: false, commands: all }
    }
    const command = yield* loaded(name)
    const settings = yield* Settings.read(known)
    const complete = yield* Argv.complete(words.slice(at + 1), command.spellings, settings)
    return {
      words: [...words.slice(0, at + 1), ...Argv.wordsOf(complete)],
      quiet: complete.options.some(({ name }) => name === "quiet"),
      commands: [command]
    }
  })

const failed = (streams: Terminal.Streams, status: Status, text: string) =>
  Effect.as(
    Effect.sync(() => streams.stderr.write(`${Printable.block(text)}\n`)),
    status
  )

/** Runs the command line. `words` are those after the program's name. Handles SIGINT and SIGTERM while it runs. */
export const program = (words: ReadonlyArray<string>, streams: Terminal.Streams): Effect.Effect<Status> =>
  Effect.gen(function* () {
    const status = yield* Ref.make<Status>(0)
    const signals = yield* Signals.make
    const taken = yield* LogLevelFlag.take(words, process.env)
    const line = yield* lineOf(taken.words)
    const interrupted = Effect.flatMap(Deferred.await(signals.first), () =>
      signals.isHandled() ? Effect.never : Ref.set<Status>(status, 130)
    )
    const command = executing(line.commands)(["node", "docsluice", ...line.words]).pipe(
      Effect.provide(NodeContext.layer),
      Logger.withMinimumLogLevel(line.quiet ? LogLevel.None : taken.level)
    )
    yield* Effect.raceFirst(command, interrupted).pipe(
      Effect.provideService(ExitStatus, status),
      Effect.provideService(Signals.Signals, signals),
      Effect.provideService(Terminal.Terminal, Terminal.make(streams, line.quiet))
    )
    return yield* status
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) =>
      ValidationError.isValidationError(error) ? Effect.succeed<Status>(64) : failed(streams, 64, error.message)
    ),
    Effect.catchAllCause((cause) => failed(streams, 2, `internal error of docsluice: ${Cause.pretty(cause)}`)),
    Effect.provide(Logger.replace(Logger.defaultLogger, Terminal.logger)),
    Effect.withConsole(Terminal.console(Effect.runSync(Console.consoleWith(Effect.succeed)), streams, words))
  )
