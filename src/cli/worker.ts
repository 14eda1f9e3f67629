/** `docsluice worker`: works on the documents of the runs in a queue. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Description from "../internal/corpus/description.ts"
import * as Located from "../internal/corpus/located.ts"
import * as Memory from "../internal/corpus/memory.ts"
import * as Once from "../internal/corpus/once.ts"
import { server, stateOf } from "../internal/queue/identity.ts"
import type { Announcement } from "../internal/queue/message.ts"
import * as Workers from "../internal/queue/workers.ts"
import type { RunEvent } from "../internal/queue/workers.ts"
import type { Tools } from "../internal/queue/workRun.ts"
import * as Http from "../internal/target/http.ts"
import { Parser } from "../Parser.ts"
import type * as Queue from "../Queue.ts"
import { Readers } from "../Readers.ts"
import { Tokenizer } from "../Tokenizer.ts"
import * as Allowed from "./Allowed.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as QueueAddress from "./QueueAddress.ts"
import * as Repetition from "./Repetition.ts"
import { Signals } from "./Signals.ts"
import { Terminal } from "./Terminal.ts"
import { ofOption, UsageError } from "./UsageError.ts"

const takes = {
  queue: flags.queueOf,
  allow: flags.allow,
  state: flags.state,
  apiKey: flags.apiKey,
  parseOptions: flags.parseOptions,
  concurrency: flags.workerConcurrency,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "worker",
  summary: "the documents of every run in a queue (ingest --queue)",
  description:
    "Works on the documents of every run in the queue (ingest --queue), until it is told to stop; then it finishes what it has in hand. Uses nothing that --allow does not name; keys come from its own flags and environment.",
  exits: "0 told to stop, 2 queue or state cannot be used, 64 wrong usage",
  examples: [
    "docsluice worker --queue redis://queue:6379 --state postgres://db/state --allow /data --allow pgvector:postgres://db/chunks"
  ]
}

const worker = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const signals = yield* Signals
  const address = yield* Effect.mapError(
    given.queue,
    () => new UsageError({ problem: "name the queue: --queue redis://HOST:PORT" })
  )
  yield* Once.checkShared(given.state)
  const allowed = yield* Allowed.parse(given.allow)
  const queue = yield* QueueAddress.open(address)
  yield* signals.handled
  signals.beforeEnd(() => terminal.lastWord("ended at once: what was in hand goes to other workers"))
  yield* terminal.note(`waiting for runs in ${queue.address}`)
  const stop = Effect.zipLeft(
    Deferred.await(signals.first),
    terminal.note("told to stop: finishing what is in hand; once more ends at once")
  )
  const memory = yield* Memory.open({ state: given.state, lease: Memory.shortLease })
  const equipping = (announced: Announcement) => equip(given, allowed, memory.vectors, announced)
  yield* Effect.provide(working(equipping, queue, stop), memory.services)
  yield* ExitStatus.set(0)
})

const working = (
  equipping: (announced: Announcement) => ReturnType<typeof equip>,
  queue: Queue.Queue.Service,
  stop: Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const { note } = yield* Terminal
    const surroundings = yield* Effect.context<FileSystem.FileSystem | Path.Path | Terminal | Memory.Services>()
    yield* Workers.serve(queue[server], {
      state: yield* stateOf,
      stop,
      onRun: ({ _tag, coordinator, problem, root }) => note(words[_tag](root, coordinator, problem)),
      equip: (announced) =>
        Effect.mapInputContext(equipping(announced), (own: Context.Context<Scope.Scope>) =>
          Context.merge(surroundings, own)
        )
    })
  })

const words: Readonly<Record<RunEvent["_tag"], (root: string, coordinator: string, problem: string) => string>> = {
  Joined: (root, coordinator) => `joined the run of ${root}, which ${coordinator} coordinates`,
  Refused: (root, _, problem) => `cannot join the run of ${root}: ${problem}`,
  Left: (root) => `the run of ${root} is over`
}

/** The means of a run from its description, its secrets from here. Fails before anything is claimed. */
const equip = (given: Given, allowed: Allowed.Allowed, vectors: Memory.Vectors, { request }: Announcement) =>
  Effect.gen(function* () {
    const recorded = request === "" ? null : yield* Description.decode(request)
    const alive = recorded === null ? ["files"] : recorded.kept.alive
    if (recorded === null || alive.length > 0) {
      const problem = `it is a run of a program, which has its ${alive.join(", ")} in itself; let workers of that program do it`
      return yield* new UsageError({ problem })
    }
    const { run } = recorded
    yield* Allowed.check(allowed, run)
    const again = { ...given, to: allowed.targets.map(({ spelling }) => spelling) }
    const { means, types } = yield* Repetition.means(recorded, again, Option.getOrUndefined(given.concurrency))
    const { chunker, parser, targets } = means
    const sinks = yield* Effect.forEach(targets, ({ open, openToAppend }) =>
      run.mode === "append" ? openToAppend : open
    )
    const embedder = yield* means.embedder(vectors)
    const services = Context.make(Parser, parser).pipe(
      Context.add(Tokenizer, yield* means.tokenizer),
      Context.add(Readers, means.readers ?? (yield* Readers)),
      Context.merge(yield* Layer.build(Http.layer))
    )
    const source = { ...Description.sourceOptions(run), types }
    const find = (file: string) =>
      Stream.unwrap(
        Effect.as(
          Allowed.checkFile(allowed, run.root, file),
          Stream.provideSomeContext(Located.named(source, [file]), services)
        )
      )
    const tools: Tools = { ...means.run, chunker, sinks, embedder }
    return { tools, find, services }
  }).pipe(Effect.catchTag("OptionError", ofOption))

export const command = Command.make(about, takes, worker, { json: Failure.asNothing })
