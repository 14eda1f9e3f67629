import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { Effect, Either, type Scope } from "effect"
import { gzipSync, zipSync } from "fflate"
import type { Page } from "playwright-core"
import * as AgentPlace from "../cli/agentPlace.ts"
import * as Chromium from "../fixtures/chromium.ts"
import { commandLine } from "../fixtures/commandLine.ts"
import { pageOfCommands } from "../fixtures/page.ts"
import { placedPdf } from "../fixtures/placedPdf.ts"
import * as Servers from "../fixtures/servers.ts"
import { shared } from "../fixtures/shared.ts"
import { drop, ready, show } from "../look/visitor.ts"
import * as Redis from "../queue/redis.ts"
import * as RerankServer from "../reranking/server.ts"
import { startAgents } from "../service/agentFixture.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Apache from "../source/apache.ts"
import { tar } from "../source/archives.ts"
import { inFile } from "../source/rows.ts"
import * as Sshd from "../source/sshd.ts"
import * as WebServer from "../source/webServer.ts"
import { fences, paths, read } from "./pages.ts"
import { agrees, type Given, walk } from "./walk.ts"

const pages = paths.filter((path) => path === "README.md" || path.startsWith("docs/"))

/** Fences that are neither run nor compiled: the page, the language, words of the fence, and the reason. */
const left: ReadonlyArray<readonly [page: string, language: string, words: string, reason: string]> = [
  ["README.md", "sh", "npm ci && npm test", "it is the run of these tests"],
  ["docs/coming-from.md", "js", 'from "@llamaindex/llama-cloud"', "a program of another library"],
  ["docs/coming-from.md", "py", "from unstructured", "a program of another library"],
  ["docs/pgvector.md", "ini", "[Service]", "systemd runs it, which a container does not have"],
  ["docs/pgvector.md", "ini", "[Timer]", "systemd runs it, which a container does not have"],
  ["docs/service.md", "bash", "docker build", "test/newcomer/image.sh builds and runs the image without Docker"],
  ["docs/service.md", "bash", "curl http", "the same script sends such a request"],
  ["docs/sources.md", "bash", "s3://archive", "test/source runs such commands against Swift and Azurite"],
  ["docs/sources.md", "bash", "git:.@v2", "test/source reads repositories on this machine and over HTTP"],
  ["docs/sources.md", "bash", "onedrive:Reports", "test/source reads doubles of the services by the command line"],
  ["docs/sources.md", "bash", "imaps://sales", "test/source runs such commands against Dovecot"]
]

const isLeft = (path: string, language: string, code: string): boolean =>
  left.some(([page, of, words]) => page === path && of === language && code.includes(words))

/** A command in a fence that says no language; the list of commands, with what each does after two blanks, has none. */
const command = /^(?:#!|\$ |(?:npm|npx|node)\b|docsluice (?!.* {2}))/mu

/** What is done with the fences of a language. */
const kinds: Readonly<Record<string, "run" | "compared" | "compiled" | "read" | "drawn">> = {
  sh: "run",
  bash: "run",
  text: "compared",
  ts: "compiled",
  json: "read",
  "": "drawn"
}

const isRun = ({ language }: { readonly language: string }): boolean => kinds[language] === "run"

/** Pages whose commands are run here; those of `docs/models.md` are run against its servers of embeddings. */
const walked = pages.filter((path) => path !== "docs/models.md" && fences(read(path)).some(isRun))

/** A page's text as it is walked, and what that needs. */
interface Guide extends Given {
  readonly text?: (text: string) => string
}

const missing = Postgres.missing()
const noRedis = Redis.missing()

/** A browser, and the page that it looks at. */
const browser = shared(Effect.zipLeft(Chromium.browser, Effect.promise(pageOfCommands)))

/** The address of a database of one's own. */
const database = (open: () => Promise<Servers.Database>) =>
  Effect.map(
    Effect.acquireRelease(Effect.promise(open), ({ stop }) => Effect.promise(stop)),
    ({ url }) => url
  )

const gauges = `---
year: 2020
date: 2024-06-01
---
# Gauges

## Calibration

Every gauge is calibrated in May. The float gauge is cleaned every two weeks.
`

const note = placedPdf([{ lines: [{ text: "The gauge is cleaned before each calibration", x: 72, y: 90 }] }])

const samples = new URL("../../examples/documents/", import.meta.url)

const documents = (folder: string) =>
  Object.fromEntries(
    readdirSync(samples).map((name) => [`${folder}/${name}`, readFileSync(new URL(name, samples))] as const)
  )

/** Puts each text where the page has another one, which has to be there. */
const replacing =
  (...pairs: ReadonlyArray<readonly [from: string, to: string]>) =>
  (text: string): string =>
    pairs.reduce((before, [from, to]) => {
      assert.include(before, from)
      return before.replaceAll(from, to)
    }, text)

/** A database with an article. */
const articles = (): Uint8Array => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-guides-"))
  try {
    const file = join(folder, "site.db")
    const run = inFile(file)
    run("CREATE TABLE article (slug PRIMARY KEY, updated_at, body, published)")
    run("INSERT INTO article VALUES ('gauges', '2026-05-01', ?, 1)", gauges)
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const guides: Readonly<Record<string, () => Effect.Effect<Guide, never, Scope.Scope>>> = {
  "README.md": () =>
    Effect.succeed({
      files: {
        "docs/gauges.md": gauges,
        "docs/report.pdf": note,
        "handbooks/stations.pdf": note,
        ...documents("examples/documents")
      },
      text: (text) =>
        [
          replacing(
            ["node dist/src/cli/main.js", "docsluice"],
            ["```ts\nimport * as Async", "```ts\n// async.mts\nimport * as Async"],
            ["```ts\nimport { NodeContext", "```ts\n// effect.ts\nimport { NodeContext"]
          )(text),
          "```sh\nnpx tsx async.mts\n```\n```text\n…\nhandbooks/stations.pdf, p. 1 The gauge is cleaned before each calibration\n```",
          "```sh\nnpx tsx effect.ts\n```\n```text\n…\nhandbooks/stations.pdf, p. 1\n```"
        ].join("\n")
    }),
  "docs/agent.md": () =>
    Effect.gen(function* () {
      const model = yield* AgentPlace.model()
      const service = yield* startAgents({})
      return {
        env: { DOCSLUICE_API_KEY: "a" },
        files: {
          "invoices/may.html": "<h1>May</h1><p>Which invoices are overdue? Invoice 12 is overdue.</p>",
          "overdue.schema.json": '{ "type": "object" }'
        },
        text: replacing(
          [
            "```bash\ndocsluice agent run",
            "```bash\ndocsluice ingest invoices --to libsql:store.db\ndocsluice agent run"
          ],
          ["openai:gpt-5-mini", model.target],
          ["openai:qwen3@http://127.0.0.1:11434/v1 --json", `${model.target} --json > job.json`],
          ["https://api.example.com/v2", `${service}/v2`],
          [
            "docsluice agent status ID",
            `ID=$(node -p 'JSON.parse(fs.readFileSync("job.json", "utf8")).id')\ndocsluice agent status ID`
          ],
          [
            "agent snapshot ID SNAPSHOT",
            "agent snapshot ID $(docsluice agent trace $ID | grep -om1 'snapshot [0-9a-f-]*' | cut -c10-)"
          ],
          // The job has ended.
          ["agent cancel ID", "agent cancel ID || test $? = 2"],
          [" ID", " $ID"]
        )
      }
    }),
  "docs/first-answer.md": () =>
    Effect.map(AgentPlace.model(), ({ target }) => ({
      text: replacing(["openai:qwen3@http://127.0.0.1:11434/v1", target])
    })),
  "docs/observe.md": () =>
    Effect.map(database(Servers.postgres), (url) => ({
      files: { database: url },
      text: replacing(
        // It would end with 1 as the run before it.
        ["#!/bin/sh\n", "#!/bin/sh\nrm handbook/tide.pdf\n"],
        ["/data/handbooks", "handbook"],
        ["/run/secrets/database", "database"],
        ["/var/www/ingest.html", "ingest.html"]
      )
    })),
  "docs/pgvector.md": () => Effect.map(database(Servers.postgres), (url) => ({ env: { DATABASE_URL: url } })),
  "docs/queue.md": () =>
    Effect.gen(function* () {
      const url = yield* database(Servers.postgres)
      const queue = yield* database(Servers.redis)
      return {
        files: { "documents/gauges.md": gauges },
        text: replacing(
          ["redis://queue:6379", queue],
          ["postgres://docsluice:secret@db/docsluice", url],
          [" /documents", " $PWD/documents"]
        )
      }
    }),
  "docs/scale.md": () =>
    Effect.map(database(Servers.postgres), (url) => ({
      files: { "docs/gauges.md": gauges, "database.txt": url },
      text: replacing(["postgres://db.example/rag", url])
    })),
  "docs/agents.md": () => Effect.succeed({ files: { "docs/gauges.md": gauges } }),
  "docs/search.md": () =>
    Effect.map(
      Effect.all({
        model: AgentPlace.model(() => ({
          text: '{"question":"When is it cleaned?","answer":"often","quote":"cleaned every two weeks"}'
        })),
        reranker: RerankServer.start(RerankServer.complete("tei"), "tei")
      }),
      ({ model: { target }, reranker }) => ({
        files: {
          "docs/manuals/gauges.md": gauges,
          "questions.csv":
            "question,source,quote\nHow often is the float gauge cleaned?,docs/manuals/gauges.md,cleaned every two weeks\n"
        },
        text: replacing(["openai:qwen3@http://127.0.0.1:11434/v1", target], ["http://127.0.0.1:8082", reranker.base])
      })
    ),
  "docs/sources.md": () =>
    Effect.gen(function* () {
      const docs = yield* WebServer.scoped
      const list = yield* WebServer.scoped
      docs.pages.set("/sitemap.xml", { body: WebServer.sitemap([`${docs.origin}/guides/gauges`]) })
      docs.pages.set("/guides/gauges", { body: gauges })
      list.pages.set("/urls.txt", { body: `${docs.origin}/guides/gauges\n`, type: "text/plain" })
      const report = new TextEncoder().encode(gauges)
      const database = yield* Effect.sync(articles)
      const apache = yield* Apache.scoped
      const sshd = yield* Sshd.scoped
      for (const folder of [join(apache.files, "Manuals"), join(sshd.files, "manuals")]) {
        mkdirSync(join(folder, "pumps"), { recursive: true })
        writeFileSync(join(folder, "gauges.md"), gauges)
        writeFileSync(join(folder, "pumps/north.pdf"), note)
      }
      return {
        env: { HOME: sshd.home },
        files: {
          "docs/backup.zip": zipSync({ "2026/april.md": report }),
          "urls.txt": `${docs.origin}/guides/gauges\n`,
          "site.db": database,
          "reports.zip": zipSync({ "2026/may.md": report }),
          "backup.tar.gz": gzipSync(tar([{ name: "docs/may.pdf", body: Buffer.from(note).toString("latin1") }]))
        },
        text: replacing(
          ["ingest sitemap:", "ingest --allow-private 127.0.0.1 sitemap:"],
          ["ingest 'sitemap:", "ingest --allow-private 127.0.0.1 'sitemap:"],
          ["ingest list:", "ingest --allow-private 127.0.0.1 list:"],
          ["https://docs.example.com", docs.origin],
          ["https://example.com", list.origin],
          ["https://cloud.example.com/remote.php/dav/files/anna/", apache.guarded],
          ["PASSWORD='of an app'", `PASSWORD='${Apache.password}'`],
          ["sftp://anna@files.example.com/srv", sshd.root],
          ["sftp://files.example.com:2222/~", sshd.root]
        )
      }
    })
}

/** Looks at a page: at the documents that its command named, else at one that is dropped or at a hit of its store. */
const looked = async (page: Page, words: ReadonlyArray<string>): Promise<void> => {
  if (words.includes("--keys")) return page.getByRole("form", { name: "Key of the server" }).waitFor()
  if (words.includes("--to")) {
    await page.getByRole("searchbox", { name: "Search the store" }).fill("when is the gauge calibrated?")
    await page.keyboard.press("Enter")
    return page.getByRole("list", { name: "Hits, best first" }).getByRole("listitem").first().waitFor()
  }
  if (words[1] === undefined || words[1].startsWith("--")) {
    await drop(page, [{ name: "note.pdf", bytes: note }])
  }
  await ready(page)
  assert.isAbove((await (await show(page, "Markdown")).innerText()).length, 20)
}

const visit = async (address: string, words: ReadonlyArray<string>): Promise<void> => {
  if (Chromium.missing !== null) return
  await Effect.runPromise(
    Effect.flatMap(browser, (running) => Chromium.visiting(running, address, ({ page }) => looked(page, words)))
  )
}

const lacking = (path: string): string | null =>
  path === "docs/sources.md"
    ? (Apache.missing() ?? Sshd.missing())
    : path === "docs/queue.md"
      ? (missing ?? noRedis)
      : ["docs/observe.md", "docs/pgvector.md", "docs/scale.md"].includes(path)
        ? missing
        : null

describe("fences", () => {
  it("of the README and of the guides are run, compiled, compared with an output, or in the list", () => {
    const faults = pages.flatMap((path) =>
      fences(read(path)).flatMap(({ code, language }, at, all) => {
        const kind = kinds[language]
        const before = all[at - 1]
        const done =
          isLeft(path, language, code) ||
          (kind === "compared"
            ? before !== undefined && isRun(before)
            : kind === "drawn"
              ? !command.test(code)
              : kind !== undefined)
        return done ? [] : [`${path}: ${language}: ${code.split("\n")[0]}`]
      })
    )
    assert.deepStrictEqual(faults, [])
  })

  it("in the list are there, and at most ten", () => {
    assert.isAtMost(left.length, 11)
    for (const [page, language, words] of left) {
      assert.isTrue(
        fences(read(page)).some((fence) => isLeft(page, fence.language, fence.code)),
        `${page} ${language} ${words}`
      )
    }
  })

  it("every fence of a page is found, also one in a list", () => {
    for (const path of pages) {
      assert.strictEqual(fences(read(path)).length * 2, read(path).match(/^\s*(?:```|~~~)/gmu)?.length ?? 0, path)
    }
  })

  it("of JSON are files of keys, or settings of clients that start docsluice mcp or call /mcp", () => {
    for (const path of pages) {
      for (const { code, language } of fences(read(path))) {
        if (language !== "json") continue
        if (path === "docs/agents.md") {
          const settings = JSON.parse(code)
          const { args, url } = Object.values(settings)
            .flatMap((servers) => Object.values(JSON.parse(JSON.stringify(servers))))
            .map((server) => JSON.parse(JSON.stringify(server)))[0]
          assert.isTrue(url?.endsWith("/mcp") ?? args.join(" ").startsWith("-y docsluice mcp --to libsql:"), code)
          continue
        }
        const hash = `sha256:${"A".repeat(22)}:${"B".repeat(43)}`
        const file = Accounts.parseKeyFile(path, code.replace("sha256:SALT:DIGEST", hash))
        assert.isTrue(Either.isRight(file), Either.isLeft(file) ? file.left.message : "")
      }
    }
  })
})

describe.concurrent("guides", () => {
  for (const path of walked) {
    const lacks = lacking(path)
    it.skipIf(lacks !== null)(
      `${path}: the commands succeed and print what the page shows${lacks === null ? "" : `: ${lacks}`}`,
      { timeout: 600_000 },
      () =>
        Effect.gen(function* () {
          const { text, ...given }: Guide = yield* guides[path]?.() ?? Effect.succeed({})
          const kept = read(path).replaceAll(/^```(\w+)\n([\s\S]*?)^```$/gmu, (fence, language: string, code: string) =>
            isLeft(path, language, code) ? "" : fence
          )
          const steps = yield* Effect.promise(() => walk(text?.(kept) ?? kept, commandLine(), { ...given, visit }))
          for (const { commands, printed, shown } of steps) {
            assert(shown === undefined || agrees(shown, printed), `${commands}printed:\n${printed}`)
          }
          assert.isNotEmpty(steps)
        }).pipe(Effect.scoped, Effect.runPromise)
    )
  }
})

describe("an output", () => {
  it("agrees with the one shown but for times, ids and what … stands for", () => {
    assert.isTrue(agrees("stored 3 documents (2 s)\n", "stored 3 documents (410 ms)\n"))
    assert.isFalse(agrees("stored 3 documents (2 s)\n", "stored 2 documents (2 s)\n"))
    assert.isTrue(agrees("a … c\n…\nlast (1)", "a b c\nmore\nand more\nlast (1)"))
    assert.isFalse(agrees("a … c\nlast", "a b c\nmore\nlast"))
  })
})
