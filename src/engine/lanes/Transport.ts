/**
 * Starts, uses and ends a lane: a child process with bounded memory.
 *
 * The child has two pipes: {@link jobPipe} carries jobs and answers as frames, {@link lifePipe} the child's reason for ending. It ends
 * when either side of the second pipe is closed, so that it never outlives its host.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { connect, Socket } from "node:net"
import { fileURLToPath } from "node:url"
import * as Entry from "#entry"
import type { FileContent } from "../../service/Engine.ts"
import type { Job, Sent } from "../jobs.ts"
import * as Frame from "./Frame.ts"

/** Events of a lane. `Ended` comes once, as the last. */
export type Event =
  | { readonly _tag: "Message"; readonly message: unknown }
  | { readonly _tag: "Ended"; readonly reason: "Crashed" | "OutOfMemory" | "Killed"; readonly how: string }

export interface Transport {
  /** Sends the job. Its bytes are not copied and its file is read piece by piece: neither may change before the answer. */
  readonly post: (job: Sent) => void
  /** While held, the lane keeps the host process alive. */
  readonly hold: () => void
  readonly release: () => void
  /** Ends the lane at once, whatever its state; settles when it is gone. */
  readonly kill: () => Promise<void>
}

/** Starts a lane that reports to `listener`. */
export type Start = (listener: (event: Event) => void) => Transport

/** File descriptor of the child's pipe for jobs and answers. */
export const jobPipe = 3

/** File descriptor of the child's pipe for its reason for ending: a reason, a line break, the system's message. */
export const lifePipe = 4

/** The child's end of a pipe. Bun opens a descriptor only where it connects. */
export const inherited = (descriptor: number): Socket =>
  "bun" in process.versions ? connect(Object.assign({ path: "" }, { fd: descriptor })) : new Socket({ fd: descriptor })

/** Bounds of one lane, in MiB. */
export interface Bounds {
  /** JavaScript heap, which V8 keeps; default 1024. */
  readonly heap?: number | undefined
  /** Total resident memory: heap, buffers, WebAssembly, native code. Checked every 25 ms; default 1536. */
  readonly resident?: number | undefined
}

const defaults = { heap: 1024, resident: 1536 } as const satisfies Bounds

/** Largest answer in bytes. */
export const maxAnswer = 128 * 1024 * 1024

/** Signals that are sent by a person or a supervisor, not caused by a fault in the process. */
const outside: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])

const endOf = (lastWords: string, code: number | null, signal: string | null): Extract<Event, { _tag: "Ended" }> => {
  const at = lastWords.indexOf("\n")
  const reason = lastWords.slice(0, Math.max(0, at))
  if (reason === "Crashed" || reason === "OutOfMemory" || reason === "Killed") {
    return { _tag: "Ended", reason, how: lastWords.slice(at + 1) }
  }
  return signal === null
    ? { _tag: "Ended", reason: "Crashed", how: `exit code ${String(code)}` }
    : { _tag: "Ended", reason: outside.has(signal) ? "Killed" : "Crashed", how: `signal ${signal}` }
}

/** Pipe of the child; undefined when the process could not be started. */
const pipe = (child: ChildProcess, descriptor: number): Socket | undefined => {
  const all: ReadonlyArray<unknown> = child.stdio ?? []
  const stream = all[descriptor]
  return stream instanceof Socket ? stream : undefined
}

/** Bytes of a file that are in memory at a time on their way to the child. */
const pieceBytes = 262_144

/** True if it went out; false if the child has ended, which is reported by its end. */
const written = (socket: Socket, piece: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => {
    socket.write(piece, (cause) => resolve(!cause))
  })

/** Writes a document from `at` on, each piece when the one before has gone. Rejects when the file cannot be read. */
const pump = async (socket: Socket, content: FileContent, at = 0): Promise<void> => {
  const end = Math.min(content.length, at + pieceBytes)
  const piece = content.slice(at, end)
  if (piece.length < end - at) throw new RangeError("the file of the document is too short")
  if ((await written(socket, piece)) && end < content.length) await pump(socket, content, end)
}

/** Makes the allocator of glibc give large buffers, such as pictures, back to the system when they are freed. Others ignore it. */
const allocation = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144" }

/** A child that was started before anything had a job for it. */
interface Ahead {
  readonly entry: string
  /** Hands it to its pool, with what it has reported so far. */
  readonly take: Start
}

const waiting = new Set<Ahead>()

/**
 * Starts a child with the default bounds, which loads what jobs of a kind need while this process loads the rest: the first {@link child}
 * of the same entry takes it over. Does not keep this process alive, and ends with it, or when nothing took it for a minute.
 */
export const startAhead = (entry: URL, kind: Job["kind"]): void => {
  const events: Array<Event> = []
  let listen = (event: Event): void => void events.push(event)
  const transport = started(entry, {}, [kind])((event) => listen(event))
  transport.release()
  const ahead: Ahead = {
    entry: entry.href,
    take: (listener) => {
      waiting.delete(ahead)
      clearTimeout(unwanted)
      listen = listener
      for (const event of events) listener(event)
      transport.hold()
      return transport
    }
  }
  const unwanted = setTimeout(() => {
    waiting.delete(ahead)
    void transport.kill()
  }, 60_000)
  unwanted.unref()
  waiting.add(ahead)
}

/** Starts a child process without the host's environment, input or output. The entry module has to call `guard`. */
export const child =
  (entry: URL, bounds?: Bounds): Start =>
  (listener) => {
    const ahead = bounds === undefined ? [...waiting].find((each) => each.entry === entry.href) : undefined
    return ahead === undefined ? started(entry, bounds ?? {})(listener) : ahead.take(listener)
  }

const started =
  (
    entry: URL,
    { heap = defaults.heap, resident = defaults.resident }: Bounds,
    kinds: ReadonlyArray<string> = []
  ): Start =>
  (listener) => {
    const options = [...Entry.processArguments(entry), `--max-old-space-size=${heap}`]
    const running = spawn(process.execPath, [...options, fileURLToPath(entry), String(resident), ...kinds], {
      env: allocation,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      windowsHide: true
    })
    const jobs = pipe(running, jobPipe)
    const life = pipe(running, lifePipe)
    let lastWords = ""
    let gone: () => void = () => undefined
    const closed = new Promise<void>((resolve) => {
      gone = resolve
    })
    const end = (event: Event): void => {
      gone()
      listener(event)
    }
    // An error of a pipe is followed by the end of the process, which has more details.
    for (const socket of [jobs, life]) socket?.on("error", () => undefined)
    jobs?.on(
      "data",
      Frame.reader(maxAnswer, {
        frame: ({ message }) => listener({ _tag: "Message", message }),
        broken: (why) => {
          lastWords = `Crashed\n${why}`
          running.kill("SIGKILL")
        }
      })
    )
    life?.on("data", (piece: Buffer) => {
      lastWords += piece.toString()
    })
    running.on("error", (cause) => {
      if (running.pid === undefined) {
        end({ _tag: "Ended", reason: "Crashed", how: cause.message })
      }
    })
    // Not `exit`: an answer may still be in the pipe then.
    running.on("close", (code, signal) => {
      if (running.pid !== undefined) end(endOf(lastWords, code, signal))
    })
    return {
      post: ({ bytes, ...message }) => {
        if (bytes instanceof Uint8Array) {
          for (const part of Frame.encode(message, bytes)) jobs?.write(part)
        } else if (jobs !== undefined) {
          jobs.write(Frame.encodeHead(message, bytes.length))
          // The child waits for the rest of the frame, and can be given nothing else.
          pump(jobs, bytes).catch((cause: unknown) => {
            lastWords = `Killed\n${String(cause)}`
            running.kill("SIGKILL")
          })
        }
      },
      hold: () => {
        for (const each of [running, jobs, life]) each?.ref()
      },
      release: () => {
        for (const each of [running, jobs, life]) each?.unref()
      },
      kill: () => {
        running.kill("SIGKILL")
        return closed
      }
    }
  }
