import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { ConfigProvider, Effect, Either, Layer } from "effect"
import { ProxyAgent } from "undici"
import { onTestFinished, vi } from "vitest"
import * as OpenAiEmbeddings from "../../src/internal/embedding/openAiModel.ts"
import { runHere, start } from "../cli/run.ts"
import * as EmbeddingServer from "../embedding/server.ts"
import * as FaultServer from "../faultserver/server.ts"
import * as Certificate from "../fixtures/certificate.ts"
import * as Proxy from "../fixtures/proxy.ts"
import { asRun, file, live } from "./collaborators.ts"

/** One parse at that address, in an environment. */
const parsed = (base: string, environment: Readonly<Record<string, string>>) =>
  asRun(file("a.pdf")).pipe(
    Effect.provide(live(base)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    Effect.map(({ result }) => result)
  )

const failed = (result: Either.Either<unknown, { readonly message: string }>): string =>
  Either.match(result, { onLeft: ({ message }) => message, onRight: () => "ok" })

const credentials = `${Proxy.user}:${Proxy.password}`

describe("proxies of the environment", () => {
  for (const variable of ["HTTP_PROXY", "http_proxy"]) {
    it.scopedLive(`${variable} takes requests to http:// as they are, with its credentials`, () =>
      Effect.gen(function* () {
        const { port } = yield* FaultServer.start()
        const proxy = yield* Proxy.start({ target: port })
        const result = yield* parsed("http://service.test/v2", { [variable]: proxy.address })
        assert.strictEqual(failed(result), "ok")
        assert.deepStrictEqual(proxy.log, [`POST http://service.test/v2/parse ${credentials}`])
      })
    )
  }

  it.scopedLive(
    "HTTPS_PROXY tunnels what the command line sends to https://, and leaves no trace of its credentials",
    () =>
      Effect.gen(function* () {
        const service = yield* FaultServer.start()
        const proxy = yield* Proxy.start({ target: service.port, secure: true })
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-proxy-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        writeFileSync(join(folder, "ca.pem"), Certificate.cert)
        writeFileSync(join(folder, "a.pdf"), "document")
        const words = ["parse", "a.pdf", "--service", "https://service.test", "--api-key", "none", "--json"]
        const { status, stderr, stdout } = yield* Effect.promise(
          () => start(folder, words, { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }).ended
        )
        assert.strictEqual(stderr, "")
        assert.strictEqual(status, 0)
        assert.include(stdout, '"success":true')
        assert.deepStrictEqual(proxy.log, [`CONNECT service.test:443 ${credentials}`])
        assert.lengthOf(service.log, 1)
      })
  )

  it.scopedLive("never take a loopback address, nor a host of NO_PROXY", () =>
    Effect.gen(function* () {
      const { port } = yield* FaultServer.start()
      const proxy = yield* Proxy.start({ target: port })
      const environment = { HTTP_PROXY: proxy.address }
      for (const host of ["127.0.0.1", "localhost", "127.1.2.3"]) {
        // On some systems only 127.0.0.1 answers; what counts is that the proxy is not asked.
        const result = failed(yield* parsed(`http://${host}:${port}`, environment))
        if (host === "127.0.0.1") assert.strictEqual(result, "ok")
      }
      for (const none of ["service.test", ".test", "other.test, service.test:80", "*"]) {
        assert.match(
          failed(yield* parsed("http://service.test", { ...environment, NO_PROXY: none })),
          /^service.test: dns/u
        )
        assert.match(
          failed(yield* parsed("http://service.test", { ...environment, no_proxy: none })),
          /^service.test: dns/u
        )
      }
      assert.deepStrictEqual(proxy.log, [])
      assert.strictEqual(failed(yield* parsed("http://service.test", { ...environment, NO_PROXY: "other.test" })), "ok")
    })
  )

  it.effect("that cannot be used are an error that names the variable, before anything is sent", () =>
    Effect.gen(function* () {
      const cases = [
        ["HTTP_PROXY", "alice:secret@proxy.test:3128", "Scheme"],
        ["HTTP_PROXY", "proxy.test:3128", "Scheme"],
        ["https_proxy", "socks5://alice:secret@proxy.test", "Scheme"],
        ["HTTPS_PROXY", "http://alice:secret@proxy test", "Malformed"],
        ["http_proxy", "http://alice:secret%@proxy.test", "Malformed"]
      ] as const
      for (const [variable, address, reason] of cases) {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(UndiciHttpClient.layer()))).pipe(
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([[variable, address]])))
        )
        assert.deepInclude(error, { _tag: "InvalidProxy", variable, reason })
        assert.include(error.message, variable)
        assert.notMatch(JSON.stringify(error) + error.message, /secret|proxy.test/u)
      }
    })
  )

  it("that cannot be used are wrong usage on the command line, and only where something is sent", async () => {
    vi.stubEnv("HTTPS_PROXY", "ftp://alice:secret@proxy.test")
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const stateless = ["ingest", "examples/documents", "--no-state", "--embedder"]
    for (const words of [
      ["parse", "examples/documents/network.html", "--service", "http://service.test", "--api-key", "none"],
      [...stateless, "hash", "--to", "qdrant:http://qdrant.test"],
      [...stateless, "hash", "--to", "chroma:http://chroma.test"],
      [...stateless, "openai:m@http://model.test"]
    ]) {
      const { status, stderr, stdout } = await runHere(words)
      assert.strictEqual(
        stderr,
        "HTTPS_PROXY begins with neither http:// nor https://; correct it, or unset it to connect without a proxy\n"
      )
      assert.strictEqual(stdout, "")
      assert.strictEqual(status, 64)
    }
    assert.strictEqual((await runHere(["cache", "--state", "nowhere"])).status, 1)
  })

  it.scopedLive(
    "that refuse a tunnel stop at once when they ask for credentials, and are tried again when they fail",
    () =>
      Effect.gen(function* () {
        for (const [status, requests, words] of [
          [407, 1, /address: the proxy of the environment asks for a user and a password/u],
          [403, 1, /address: the proxy of the environment refused the connection with status 403/u],
          [503, 5, /refused: the proxy of the environment refused the connection with status 503/u]
        ] as const) {
          const proxy = yield* Proxy.start({ target: 1, refuse: [status, ""] })
          const message = failed(yield* parsed("https://service.test", { HTTPS_PROXY: proxy.address }))
          assert.match(message, words)
          assert.lengthOf(proxy.log, requests)
        }
      })
  )

  it.scopedLive("have their credentials redacted in what they answer", () =>
    Effect.gen(function* () {
      const header = Buffer.from(credentials).toString("base64")
      const said = `wrong: ${Proxy.password} and ${encodeURIComponent(Proxy.password)} of ${Proxy.user} (Basic ${header})`
      const proxy = yield* Proxy.start({ target: 1, refuse: [403, said] })
      const message = failed(yield* parsed("http://service.test", { HTTP_PROXY: proxy.address }))
      assert.include(message, "wrong: <redacted> and <redacted> of alice (Basic <redacted>)")
      const model = OpenAiEmbeddings.make({ model: "m", baseUrl: "http://model.test" })
      const error = yield* Effect.flatMap(model, ({ documents }) => Effect.flip(documents(["a"]))).pipe(
        Effect.provide(UndiciHttpClient.layer()),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["HTTP_PROXY", proxy.address]])))
      )
      assert.include(JSON.stringify(error), "<redacted>")
      assert.notInclude(JSON.stringify(error) + message, Proxy.password)
      assert.include(proxy.log, `POST http://model.test/v1/embeddings ${credentials}`)
    })
  )

  it.scopedLive("do not count for a dispatcher of one's own, which serves Async's service and embedder", () =>
    Effect.gen(function* () {
      const service = yield* FaultServer.start()
      const model = yield* EmbeddingServer.start(EmbeddingServer.complete)
      const proxy = yield* Proxy.start({
        target: (name) => (name === "model.test" ? Number(new URL(model.base).port) : service.port)
      })
      const dispatcher = yield* Effect.acquireRelease(
        Effect.sync(() => new ProxyAgent({ uri: proxy.address, proxyTunnel: false })),
        (agent) => Effect.promise(() => agent.destroy())
      )
      const summary = yield* Effect.promise(() =>
        Async.ingest({
          service: "http://service.test",
          apiKey: "none",
          tokenizer: "chars",
          dispatcher,
          root: "examples/documents",
          patterns: ["network.html"],
          sinks: [{ id: "memory:", write: () => Promise.resolve() }],
          embedder: { model: "m", baseUrl: "http://model.test" }
        })
      )
      assert.strictEqual(summary.stored, 1)
      assert.include(proxy.log, `POST http://service.test/v2/parse ${credentials}`)
      assert.include(proxy.log, `POST http://model.test/v1/embeddings ${credentials}`)
    })
  )
})
