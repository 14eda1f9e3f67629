import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schema, type Scope } from "effect"
import { type Result, run, runHere, start } from "./run.ts"

const Messages = Schema.Struct({
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String }))
})

type Message = (typeof Messages.Type)["messages"][number]

/** An answer of the model: tool calls, a text, a status without an answer, or none at all. */
export type Reply =
  | { readonly calls: ReadonlyArray<readonly [name: string, parameters: object]> }
  | { readonly text: string }
  | { readonly status: number }
  | "never"

const Found = Schema.parseJson(
  Schema.Struct({ hits: Schema.Array(Schema.Struct({ chunk: Schema.String, text: Schema.String })) })
)

/** Searches for the task's words; then answers with the last line of the first passage that it was shown, cited. */
export const finding = (messages: ReadonlyArray<Message>): Reply => {
  const task = messages.find(({ role }) => role === "user")?.content ?? ""
  const shown = messages.findLast(({ role }) => role === "tool")?.content
  if (shown === undefined) return { calls: [["search", { query: task.split("\n")[0] }]] }
  const [hit] = Schema.decodeUnknownSync(Found)(shown).hits
  // The last line is the mark at the end.
  const quote = hit?.text.split("\n").at(-2) ?? ""
  return { text: JSON.stringify({ answer: quote, citations: [{ chunk: hit?.chunk, quote }] }) }
}

export interface ModelDouble {
  /** Value of `--model`. */
  readonly target: string
  /** Prompts as they came, one text each. */
  readonly asked: ReadonlyArray<string>
}

/** A server that speaks OpenAI's protocol and answers with tools. */
export const model = (
  reply: (messages: ReadonlyArray<Message>) => Reply = finding
): Effect.Effect<ModelDouble, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        const text = Buffer.concat(parts).toString()
        asked.push(text)
        const answer = reply(Schema.decodeUnknownSync(Schema.parseJson(Messages))(text).messages)
        if (answer === "never") return
        if ("status" in answer) {
          response.writeHead(answer.status).end("{}")
          return
        }
        const message =
          "text" in answer
            ? { role: "assistant", content: answer.text }
            : {
                role: "assistant",
                content: "",
                tool_calls: answer.calls.map(([name, parameters], at) => ({
                  id: `call-${asked.length}-${at}`,
                  type: "function",
                  function: { name, arguments: JSON.stringify(parameters) }
                }))
              }
        const usage = { prompt_tokens: 1500, completion_tokens: 20, total_tokens: 1520 }
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ choices: [{ message }], usage }))
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close().closeAllConnections())
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { target: `openai:double@http://127.0.0.1:${port}/v1`, asked }
  })

/** Documents of the samples. */
const documents = {
  "rain.html": "<h1>Rain</h1><p>In 1998 the station of Brno measured 612 millimetres of rain.</p>",
  "wind.html": "<h1>Wind</h1><p>The anemometer of Znojmo turned at 31 metres per second.</p>"
}

export interface AgentPlace {
  readonly folder: string
  /** The command line in a process of its own, in the folder. */
  readonly run: (...words: ReadonlyArray<string>) => Effect.Effect<Result>
  /** `agent` with these words in this process, its jobs kept in the folder; each word is given as it is. */
  readonly agent: (...words: ReadonlyArray<string>) => Effect.Effect<Result>
  /** The documents' folder. */
  readonly docs: string
  /** As `run`, without waiting for its end; killed with the scope. */
  readonly start: (...words: ReadonlyArray<string>) => Effect.Effect<ReturnType<typeof start>, never, Scope.Scope>
}

/** A folder with two documents in `docs`. */
export const make: Effect.Effect<AgentPlace, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-agent-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  mkdirSync(join(folder, "docs"))
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, "docs", name), text)
  return {
    folder,
    docs: join(folder, "docs"),
    agent: (...words) => Effect.promise(() => runHere(["agent", ...words, "--state", join(folder, "state")])),
    run: (...words) => Effect.promise(() => run(folder, words)),
    start: (...words) =>
      Effect.acquireRelease(
        Effect.sync(() => start(folder, words)),
        ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
      )
  }
})

/** Waits until a text has come. */
export const until = (text: () => string, pattern: RegExp): Effect.Effect<string> =>
  Effect.sync(text).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (found) => pattern.test(found) }),
    Effect.timeout("2 minutes"),
    Effect.orDie
  )

/** The base address that `serve --json` prints. */
export const baseOf = (server: ReturnType<typeof start>): Effect.Effect<string> =>
  Effect.map(
    until(server.stdout, /\n/u),
    (line) => Schema.decodeSync(Schema.parseJson(Schema.Struct({ base: Schema.String })))(line).base
  )

/** The id of the job that a command told of. */
export const jobOf = ({ stderr }: Pick<Result, "stderr">): string =>
  /agent job ([0-9a-f-]{36})/u.exec(stderr)?.[1] ?? ""
