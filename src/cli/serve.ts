/** `docsluice serve`: the embedded service over HTTP. */
import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isLoopback } from "../internal/base/loopback.ts"
import * as AddKey from "./addKey.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as ServeCallers from "./ServeCallers.ts"
import { Signals } from "./Signals.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const takes = {
  words: Command.any(""),
  port: flags.port,
  host: flags.host,
  ...ServeCallers.takes,
  model: flags.model,
  modelContext: flags.modelContext,
  ocrLanguages: flags.ocrLanguages,
  agentStore: flags.agentStore,
  mcp: flags.mcpStore,
  filter: flags.filter,
  tenant: flags.tenant,
  roots: flags.lookedRoots,
  allowWrite: flags.allowWrite,
  embedder: flags.queryEmbedder,
  rerank: flags.rerank,
  allowHosts: flags.allowHosts,
  cors: flags.cors,
  grace: flags.grace,
  state: flags.serverState,
  ...AddKey.takes,
  spool: flags.spool,
  noPage: flags.noPage,
  json: flags.json,
  quiet: flags.quiet
}

type Config = Command.Given<typeof takes>

/** Refuses a folder that cannot take uploads, before the first of them is lost to it. */
const checkSpool = (folder: string): Effect.Effect<void, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      // With the slash a file of that name is refused too.
      await access(join(folder, "/"), constants.W_OK | constants.X_OK)
    },
    catch: () =>
      new UsageError({ problem: `--spool ${folder}: there is no such folder, or it cannot be written; name another` })
  })

/** The model, and the store for agent jobs. */
const modelOf = Effect.fnUntraced(function* ({ agentStore, embedder, model, modelContext, rerank }: Config) {
  if (Option.isNone(model)) {
    if (Option.isNone(agentStore)) return undefined
    return yield* new UsageError({ problem: "--agent-store: agent jobs need a language model too; give --model" })
  }
  const ModelTarget = yield* Effect.promise(() => import("./ModelTarget.ts"))
  const contextTokens = Option.getOrUndefined(modelContext)
  const read = yield* ModelTarget.read(model.value, { contextTokens, environment: process.env })
  if (Option.isNone(agentStore)) return { model: read }
  const AgentStore = yield* Effect.promise(() => import("./AgentStore.ts"))
  const opened = AgentStore.open({
    flag: "agent-store",
    spelling: agentStore.value,
    embedder,
    rerank,
    environment: process.env
  })
  return {
    model: read,
    agentStore: yield* Effect.mapError(opened, (error) =>
      error._tag === "UsageError"
        ? error
        : new UsageError({ problem: `--agent-store: ${error.message}; start the store, or name another` })
    )
  }
})

/** The store for agents elsewhere, at `/mcp`. */
const mountedOf = Effect.fnUntraced(function* ({ mcp, state, ...given }: Config) {
  if (Option.isNone(mcp)) {
    const problem = "it is for the store that agents read; name that too: --mcp libsql:FILE, for instance"
    const [flag] = [
      ...(given.filter.length > 0 ? ["--filter"] : []),
      ...(Option.isSome(given.tenant) ? ["--tenant"] : []),
      ...(given.roots.length > 0 ? ["--root"] : []),
      ...(given.allowWrite ? ["--allow-write"] : [])
    ]
    return flag === undefined ? Layer.empty : yield* new UsageError({ problem: `${flag}: ${problem}` })
  }
  const [ToolStore, { layer }] = yield* Effect.promise(() =>
    Promise.all([import("./ToolStore.ts"), import("../internal/mcp/http.ts")])
  )
  const known = (yield* State.exists(state)) || given.allowWrite ? Option.some(state) : Option.none()
  const tools = yield* Effect.mapError(
    ToolStore.open({ ...given, to: [mcp.value], state: known, environment: process.env }),
    (error) =>
      error._tag === "UsageError"
        ? new UsageError({ problem: error.problem.replace(/^--to(?=[ :])/u, "--mcp") })
        : error
  )
  return layer(tools)
})

const serving = Effect.fnUntraced(function* (given: Config) {
  const { allowHosts, apiKeys, cors, grace, host, json, keys, port, state } = given
  const terminal = yield* Terminal
  if (apiKeys.length === 0 && Option.isNone(keys) && !isLoopback(host)) {
    return yield* new UsageError({ problem: `--host ${host} is not a loopback address: give an --api-key, or --keys` })
  }
  const origins = Option.toArray(cors)
  yield* checkNames(allowHosts, origins)
  const spool = Option.getOrUndefined(given.spool)
  if (spool !== undefined) yield* checkSpool(spool)
  const callers = yield* ServeCallers.read(given)
  const model = yield* modelOf(given)
  const ocrLanguages = Option.getOrUndefined(given.ocrLanguages)
  const mounted = yield* mountedOf(given)
  const listening = (address: string) => {
    const base = `${address}/v2`
    return terminal.result(json ? JSON.stringify({ base }) : `listening on ${base}`)
  }
  // The server's modules take a third of a second to load, which no other command should pay for.
  const { listen } = yield* Effect.promise(() => import("./listen.ts"))
  const signals = yield* Signals
  yield* signals.handled
  const interrupted = Effect.zipRight(
    Deferred.await(signals.first),
    terminal.note(`stopping: requests in flight have ${grace / 1000} s to finish; interrupt again to end at once`)
  )
  yield* Effect.raceFirst(
    Layer.launch(
      listen({
        host,
        port,
        callers,
        state,
        model,
        ocrLanguages,
        spool,
        allowHosts,
        cors: origins,
        grace,
        page: given.noPage ? undefined : {},
        listening
      }).pipe(Layer.provide(mounted))
    ),
    interrupted
  )
  return yield* ExitStatus.set(130)
})

const unknownWords = (words: ReadonlyArray<string>): UsageError =>
  new UsageError({ problem: `serve takes no argument but "keys add", got ${JSON.stringify(words.join(" "))}` })

const about: Command.Description = {
  name: "serve",
  summary: "the embedded parsing service over HTTP",
  description:
    "Serves the embedded service, and at / a page on which documents can be looked at, until interrupted, when requests in flight may finish and new ones get a 503. Without --api-key or --keys any key or none is taken, on loopback addresses only; there it answers only requests to its own address or an --allow-host, and no web pages of other origins than --cors. With --agent-store and --model it runs agent jobs, which are kept for 24 hours below --state. With --mcp it serves a store to agents at /mcp, as docsluice mcp does. `serve keys add` adds a key to a file of keys, with --rate, --concurrency and --credits as its limits, and prints it, such as docsluice serve keys add --name search --rate 600/min.",
  examples: ["docsluice serve --keys keys.json"]
}

/** True for the origin of a web page, in a browser's spelling, or `*`. */
const isOrigin = (text: string): boolean =>
  text === "*" || (/^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase())

/** True for a host with or without a port, or `*`. */
const isHost = (text: string): boolean =>
  text === "*" ||
  (/^[\w.:[\]-]+$/.test(text) && URL.canParse(`http://${text}`) && new URL(`http://${text}`).pathname === "/")

const checkNames = (hosts: ReadonlyArray<string>, origins: ReadonlyArray<string>): Effect.Effect<void, UsageError> => {
  const host = hosts.find((name) => !isHost(name))
  const origin = origins.find((name) => !isOrigin(name))
  if (host !== undefined)
    return new UsageError({ problem: `--allow-host: expected HOST or HOST:PORT, got ${JSON.stringify(host)}` })
  return origin === undefined
    ? Effect.void
    : new UsageError({
        problem: `--cors: expected an origin such as https://app.example, got ${JSON.stringify(origin)}`
      })
}

export const command = Command.make(
  about,
  takes,
  (given) => {
    if (given.words.length === 0) return serving(given)
    return given.words.join(" ") === "keys add" ? AddKey.addKey(given) : unknownWords(given.words)
  },
  { status: { KeyFileError: 64 }, json: Failure.asNothing }
)
