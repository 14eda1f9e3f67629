// The platform services know neither the process's id, nor whether another process lives, nor the machine's name.
import * as os from "node:os"
import * as process from "node:process"
import type { PlatformError } from "@effect/platform/Error"
import type { FileSystem } from "@effect/platform/FileSystem"
import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { readIfThere, removeIfThere, sinkError } from "./Durable.ts"

const Holder = Schema.Struct({
  pid: Schema.Int,
  host: Schema.String,
  /** When the process began, in the kernel's own unit, where the system tells; else empty. */
  began: Schema.String
})
type Holder = typeof Holder.Type

const HolderText = Schema.parseJson(Holder)

/** Paths that this process holds: its own id says nothing about which of its sinks has a file open. */
const held = new Set<string>()

/**
 * Holds a lock file until the scope ends. Fails with `Unavailable` while another sink of this or another living process of
 * this machine holds it, or while one of another machine may. A lock whose process is gone is taken over; ids that were
 * given to a new process are told apart where the system says when a process began (Linux).
 */
export const acquire = (fs: FileSystem, sink: string, path: string): Effect.Effect<void, SinkError, Scope.Scope> =>
  Effect.acquireRelease(take(fs, sink, path, 3), () =>
    Effect.zipRight(
      Effect.ignoreLogged(removeIfThere(fs, path)),
      Effect.sync(() => held.delete(path))
    )
  )

const take = (fs: FileSystem, sink: string, path: string, attempts: number): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    const mine: Holder = { pid: process.pid, host: os.hostname(), began: yield* began(fs, process.pid) }
    const text = yield* Effect.orDie(Schema.encode(HolderText)(mine))
    if (held.has(path)) return yield* taken(sink, path, mine)
    const created = yield* fs.writeFileString(path, text, { flag: "wx" }).pipe(
      Effect.as(true),
      Effect.catchIf(
        (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
        () => Effect.succeed(false)
      ),
      Effect.mapError(sinkError(sink, `cannot create the lock ${path}`))
    )
    if (created) return void held.add(path)
    const holder = yield* read(fs, sink, path)
    if (Option.isSome(holder) && (yield* lives(fs, holder.value, mine))) return yield* taken(sink, path, holder.value)
    if (attempts === 0)
      return yield* taken(
        sink,
        path,
        Option.getOrElse(holder, () => mine)
      )
    yield* Effect.mapError(evict(fs, path, holder), sinkError(sink, `cannot take over the lock ${path}`))
    return yield* take(fs, sink, path, attempts - 1)
  })

/**
 * Moves the lock of a dead holder out of the way. Of several processes that do so at the same time one may move the lock
 * that another has just made: it sees whose it is afterwards, and puts it back.
 */
const evict = (fs: FileSystem, path: string, dead: Option.Option<Holder>): Effect.Effect<void, PlatformError> => {
  const moved = `${path}.${process.pid}`
  return fs.rename(path, moved).pipe(
    Effect.zipRight(readIfThere(fs, moved)),
    Effect.flatMap((text) =>
      sameHolder(Option.flatMap(text, Schema.decodeOption(HolderText)), dead)
        ? Effect.void
        : Effect.ignore(fs.link(moved, path))
    ),
    Effect.zipRight(removeIfThere(fs, moved)),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.void
    )
  )
}

const sameHolder = Option.getEquivalence(Schema.equivalence(Holder))

const taken = (sink: string, path: string, holder: Holder) =>
  new SinkError({
    sink,
    reason: "Unavailable",
    problem: `another run has it open (process ${holder.pid} on ${holder.host}); wait for it, or delete ${path} if that process is gone`
  })

/** None when the file went away, or holds no holder even a moment later: its process was killed while it made it. */
const read = (fs: FileSystem, sink: string, path: string): Effect.Effect<Option.Option<Holder>, SinkError> => {
  const once = Effect.map(
    Effect.mapError(readIfThere(fs, path), sinkError(sink, `cannot read the lock ${path}`)),
    Option.flatMap(Schema.decodeOption(HolderText))
  )
  return Effect.flatMap(once, (holder) =>
    Option.isSome(holder) ? Effect.succeed(holder) : Effect.delay(once, "50 millis")
  )
}

const lives = (fs: FileSystem, holder: Holder, mine: Holder): Effect.Effect<boolean> => {
  if (holder.host !== mine.host) return Effect.succeed(true)
  if (holder.pid === mine.pid) return Effect.succeed(false)
  return Effect.try(() => process.kill(holder.pid, 0)).pipe(
    Effect.as(true),
    Effect.catchAll(({ error }) => Effect.succeed(Predicate.hasProperty(error, "code") && error.code === "EPERM")),
    Effect.zipWith(began(fs, holder.pid), (there, since) => there && (since === holder.began || since === ""))
  )
}

/** Field 22 of `/proc/PID/stat`: what follows the name in brackets, which may hold blanks itself. */
const began = (fs: FileSystem, pid: number): Effect.Effect<string> =>
  fs.readFileString(`/proc/${pid}/stat`).pipe(
    Effect.map((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""),
    Effect.orElseSucceed(() => "")
  )
