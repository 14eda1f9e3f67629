/** `docsluice look [FILE…]`: a page on this machine that shows documents as they are parsed and split. */
import { spawn } from "node:child_process"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isLoopback } from "../internal/base/loopback.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as LookStore from "./LookStore.ts"
import { Signals } from "./Signals.ts"
import * as SingleFile from "./SingleFile.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const takes = {
  files: Command.any("[FILE…]"),
  ...LookStore.takes,
  port: flags.lookPort,
  host: flags.lookHost,
  open: flags.openPage,
  ocrLanguages: flags.ocrLanguages,
  spool: flags.spool,
  json: flags.json,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

/** Time in milliseconds that requests in flight have after an interrupt: a page of one's own can be opened again. */
const grace = 2000

/** The program of a system that opens an address, with its arguments. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""]
}

/** Opens an address in the browser; says so where the system has no program for it. */
const openIn = (address: string): Effect.Effect<void, never, Terminal> =>
  Effect.gen(function* () {
    const [program, ...words] = openers[process.platform] ?? ["xdg-open"]
    const failed = yield* Effect.async<string | undefined>((resume) => {
      const child = spawn(program, [...words, address], { detached: true, stdio: "ignore" })
      child.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? error.message)))
      child.once("spawn", () => resume(Effect.succeed(undefined)))
      child.unref()
    })
    if (failed === undefined) return
    const { failure } = yield* Terminal
    yield* failure(`OpenerMissing: ${program} cannot be run (${failed}); open ${address} yourself`)
  })

const looking = Effect.fnUntraced(function* (given: Given) {
  const { host, json, port } = given
  const terminal = yield* Terminal
  if (!isLoopback(host)) {
    const problem = `--host ${host} is not a loopback address; for other machines use docsluice serve, which takes keys`
    return yield* new UsageError({ problem })
  }
  const files = yield* Effect.forEach(given.files, SingleFile.open)
  const store = yield* LookStore.open({ ...given, environment: process.env })
  const listening = (base: string) =>
    Effect.gen(function* () {
      const address = `${base}/`
      yield* terminal.result(json ? JSON.stringify({ address }) : address)
      if (given.open) yield* openIn(address)
    }).pipe(Effect.provideService(Terminal, terminal))
  const { listen } = yield* Effect.promise(() => import("./listen.ts"))
  const signals = yield* Signals
  yield* signals.handled
  const served = listen({
    host,
    port,
    callers: { keys: [] },
    state: "",
    model: undefined,
    ocrLanguages: Option.getOrUndefined(given.ocrLanguages),
    spool: Option.getOrUndefined(given.spool),
    allowHosts: [],
    cors: [],
    grace,
    page: { files },
    listening
  })
  yield* Effect.raceFirst(Effect.provide(Layer.launch(served), store), Deferred.await(signals.first))
  return yield* ExitStatus.set(130)
})

const about: Command.Description = {
  name: "look",
  summary: "a page on this machine: documents, or a store with --to",
  description:
    "Serves a page to this machine until interrupted, and prints its address: drop documents on it, or give them here, and see pages with their blocks, Markdown, chunks and metadata. With --to it searches a store too, and shows each hit on its page. Nothing leaves the machine but questions to a store or an embedder elsewhere.",
  exits: "130 interrupted, 1 a file cannot be shown, 2 could not listen, or no such store or state, 64 wrong usage",
  examples: ["docsluice look report.pdf --open"]
}

export const command = Command.make(about, takes, looking, {
  status: { ...Failure.ofFile, SinkError: 2, LedgerError: 2 }
})
