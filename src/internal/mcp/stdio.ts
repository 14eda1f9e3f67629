/** The protocol over two streams: one message a line, nothing else on the output. */
import type { Readable, Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Stream from "effect/Stream"
import type { Tools } from "../tools/values.ts"
import * as Messages from "./messages.ts"
import * as Protocol from "./protocol.ts"
import * as Server from "./server.ts"

/** Longest message in bytes. */
export const longest = 4 * 1024 * 1024

const newline = 10

/** Lines of a stream of bytes; `null` for one that is too long. A last line without an end is one too. */
const lines = (input: Readable): Stream.Stream<string | null> => {
  let parts: Array<Uint8Array> = []
  let [length, isTooLong] = [0, false]
  const take = (part: Uint8Array): void => {
    length += part.length
    isTooLong ||= length > longest
    if (isTooLong) parts = []
    else parts.push(part)
  }
  const end = (): ReadonlyArray<string | null> => {
    const line = isTooLong ? null : Buffer.concat(parts).toString().trim()
    ;[parts, length, isTooLong] = [[], 0, false]
    return line === "" ? [] : [line]
  }
  const chunks = Stream.fromAsyncIterable<Uint8Array, null>(input, () => null)
  return Stream.concat(
    Stream.mapConcat(chunks, (chunk) => {
      const found: Array<string | null> = []
      let from = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        take(chunk.subarray(from, at))
        found.push(...end())
        from = at + 1
      }
      take(chunk.subarray(from))
      return found
    }),
    // A broken input has ended.
    Stream.suspend(() => Stream.fromIterable(end()))
  ).pipe(Stream.catchAll(() => Stream.empty))
}

/** Writes a line; a client that is gone takes none. */
const written = (output: Writable, text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    output.write(`${text}\n`, () => resume(Effect.void))
  })

/** Serves one client until its input ends, or what it reads is closed. What it has asked for then ends too. */
export const serve = (
  tools: Tools,
  { input, output }: { readonly input: Readable; readonly output: Writable }
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const transport = yield* Protocol.make
    const client = yield* transport.connect((message) => written(output, JSON.stringify(message)))
    const calls = yield* FiberSet.make<void>()
    const take = (line: string | null) =>
      line === null
        ? client.send(Messages.failed(null, Messages.codes.request, `a message has at most ${longest} bytes`))
        : Effect.asVoid(FiberSet.run(calls, transport.receive(client, Messages.read(line))))
    const closed = Effect.async<void>((resume) => {
      const gone = () => resume(Effect.void)
      output.once("close", gone).once("error", gone)
      return Effect.sync(() => output.off("close", gone).off("error", gone))
    })
    yield* Effect.forkScoped(Server.serve(tools, transport))
    yield* Effect.raceFirst(Effect.zipRight(Stream.runForEach(lines(input), take), FiberSet.awaitEmpty(calls)), closed)
    yield* transport.disconnect(client)
  }).pipe(Effect.scoped)
