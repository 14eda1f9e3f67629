/** The command line: words in, exit status out. */
import { createRequire } from "node:module"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Argv from "./Argv.ts"
import * as cache from "./cache.ts"
import * as chunks from "./chunks.ts"
import * as doctor from "./doctor.ts"
import { ExitStatus, type Status } from "./ExitStatus.ts"
import * as ingest from "./ingest.ts"
import * as LogLevelFlag from "./LogLevelFlag.ts"
import * as parse from "./parse.ts"
import * as plan from "./plan.ts"
import * as Printable from "./Printable.ts"
import * as remove from "./remove.ts"
import * as retry from "./retry.ts"
import * as search from "./search.ts"
import * as serve from "./serve.ts"
import * as Settings from "./Settings.ts"
import * as Signals from "./Signals.ts"
import * as status from "./status.ts"
import * as Terminal from "./Terminal.ts"
import type { UsageError } from "./UsageError.ts"
import * as watch from "./watch.ts"

/** Commands in the order of the help page. */
const commands = { ingest, plan, watch, retry, status, doctor, remove, cache, parse, chunks, search, serve } as const

/** Flags of every command, with their kinds. */
export const spellings: Readonly<Record<string, ReadonlyArray<Argv.Spelling>>> = Object.fromEntries(
  Object.entries(commands).map(([name, { spellings }]) => [name, spellings])
)

const { version } = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(
  createRequire(import.meta.url)("docsluice/package.json")
)

const docsluice = Command.make("docsluice").pipe(
  Command.withDescription(
    "Streams documents into RAG stores: discover, parse, chunk, store. Example: docsluice ingest docs --to jsonl:chunks.jsonl"
  ),
  Command.withSubcommands([
    ingest.command,
    plan.command,
    watch.command,
    retry.command,
    status.command,
    doctor.command,
    remove.command,
    cache.command,
    parse.command,
    chunks.command,
    search.command,
    serve.command
  ])
)

const execute = Command.run(docsluice, { name: "docsluice", version, executable: "docsluice" })

interface Line {
  /** The words in the library's form; those of an unknown command are passed on, for its message. */
  readonly words: ReadonlyArray<string>
  readonly quiet: boolean
}

const lineOf = (words: ReadonlyArray<string>): Either.Either<Line, UsageError> =>
  Either.gen(function* () {
    const at = words.findIndex((word) => !word.startsWith("-"))
    const name = words[at] ?? ""
    const flags = Object.hasOwn(spellings, name) ? spellings[name] : undefined
    if (flags === undefined) return { words: words.length === 0 ? ["--help"] : words, quiet: false }
    const known = new Set(Object.values(spellings).flatMap((list) => list.map((flag) => flag.name)))
    const settings = yield* Settings.read(known)
    const complete = yield* Argv.complete(words.slice(at + 1), flags, settings)
    return {
      words: [...words.slice(0, at + 1), ...Argv.wordsOf(complete)],
      quiet: complete.options.some(({ name }) => name === "quiet")
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
    const { quiet, words: line } = yield* lineOf(taken.words)
    const interrupted = Effect.flatMap(Deferred.await(signals.first), () =>
      signals.isHandled() ? Effect.never : Ref.set<Status>(status, 130)
    )
    const command = Effect.provide(execute(["node", "docsluice", ...line]), NodeContext.layer).pipe(
      Logger.withMinimumLogLevel(quiet ? LogLevel.None : taken.level)
    )
    yield* Effect.raceFirst(command, interrupted).pipe(
      Effect.provideService(ExitStatus, status),
      Effect.provideService(Signals.Signals, signals),
      Effect.provideService(Terminal.Terminal, Terminal.make(streams, quiet))
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
