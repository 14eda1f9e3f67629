/** Serves jobs in the parser thread of a lane. */
import type { Pages, Part, Reply } from "../jobs.ts"
import * as Frame from "./Frame.ts"
import { serve, type Handlers } from "./serve.ts"
import * as Transport from "./Transport.ts"

const tooLarge = (reply: Reply): Reply => ({
  _tag: "Refused",
  reason: "resourceLimit",
  error: `its text takes more than the ${Transport.maxAnswer / 1_048_576} MiB that an answer may have`,
  footprint: reply.footprint
})

const encoded = (reply: Reply | Part | Pages): ReadonlyArray<Uint8Array> => {
  const parts = Frame.encode(reply)
  return reply._tag !== "Part" && reply._tag !== "Pages" && Frame.size(parts) > Transport.maxAnswer
    ? Frame.encode(tooLarge(reply))
    : parts
}

/** Serves jobs on the pipe to the host. Loads the handlers of the kinds that are arguments of the thread at once. */
export const serveThread = (handlers: Handlers): void => {
  const pipe = Transport.inherited(Transport.jobPipe)
  const write = (parts: ReadonlyArray<Uint8Array>): void => {
    for (const part of parts) pipe.write(part)
  }
  // Output that a parser prints is never read, so it would accumulate.
  process.stdout.write = () => true
  process.stderr.write = () => true
  serve(
    {
      receive: (listener) =>
        pipe.on(
          "data",
          Frame.reader(Number.POSITIVE_INFINITY, {
            frame: ({ bytes, message }) => listener(typeof message === "object" ? { ...message, bytes } : message),
            broken: (why) => {
              throw new TypeError(why)
            }
          })
        ),
      ready: () => write(Frame.encode("ready")),
      send: (reply) => write(encoded(reply)),
      footprint: () => process.memoryUsage.rss()
    },
    handlers
  )
  // One that cannot be loaded is reported with its first job.
  for (const kind of process.argv.slice(2)) handlers[kind]?.().catch(() => undefined)
}
