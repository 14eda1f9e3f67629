import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Corpus from "docsluice/Corpus"
import { Effect, Either, type Scope } from "effect"
import * as Resources from "../../src/internal/mcp/resources.ts"
import * as Values from "../../src/internal/tools/values.ts"
import { documents, folder } from "../mcp/store.ts"

const textOf = (group: string, name: string) =>
  [
    "---",
    `title: The ${group} report ${name}`,
    `audience: ${group}`,
    "---",
    `# ${group} report ${name}`,
    `The ${group} gauge of ${name} was read on every morning of the year.`,
    `## Section ${group}`,
    `Nobody may change the ${group} valve without a second person.`,
    ...(group === "hidden" ? ["The password is xyzzy, and the vault is below the stairs."] : [])
  ].join("\n\n")

/** Names of files by their group, in turns. */
const groups = { shown: ["b/1.md", "d/2.md", "f/3.md"], hidden: ["a/1.md", "c/9.md", "e/8.md", "g/2.md"] } as const

const storeIn = (cwd: string, name: string): `libsql:${string}` => `libsql:${join(cwd, name)}`

const filled = (to: Corpus.Target, names: ReadonlyArray<keyof typeof groups>, name = "texts") =>
  Effect.gen(function* () {
    const root = yield* folder
    for (const group of names) {
      for (const path of groups[group]) {
        mkdirSync(join(root, path, ".."), { recursive: true })
        writeFileSync(join(root, path), textOf(group, path))
      }
    }
    const corpus = yield* Corpus.make({ to, embedder: "hash", chunker: { kind: "markdown", maxTokens: 32 } })
    yield* corpus.ingest({ root, name })
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

type Tools = Values.Tools

const over = (
  to: Corpus.Target,
  options: Parameters<typeof Values.make>[1]
): Effect.Effect<Tools, unknown, Scope.Scope> =>
  Corpus.make({ to, embedder: "hash" }).pipe(
    Effect.flatMap((corpus) => Values.make(corpus, options)),
    Effect.provide(NodeContext.layer)
  )

const call = (tools: Tools, name: string, input: unknown) =>
  tools.all.find((tool) => tool.name === name)?.call(input) ?? Effect.dieMessage(`no tool ${name}`)

/** Without marks, which are new each time, and without scores, which depend on all that a store has. */
const comparable = (result: unknown): string =>
  JSON.stringify(result, (key, value: unknown) =>
    key === "relevance" || key === "similarity" ? null : value
  ).replaceAll(/untrusted-[0-9a-f]{12}/gu, "mark")

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Every way by which a call may ask for what is hidden. */
const attempts: ReadonlyArray<readonly [string, unknown]> = [
  ["status", {}],
  ["list", {}],
  ...[1, 2, 3].map((limit) => ["list", { limit }] as const),
  ...["*", "hidden", "a/1.md", "*9.md", "c*", "*.md"].map((pattern) => ["list", { pattern }] as const),
  ...["", "texts/a", "texts/a/1.md", "texts/f/3.md", "texts/z"].map(
    (after) => ["list", { cursor: base64({ after }) }] as const
  ),
  ...["hidden", "password xyzzy vault", "gauge", "valve report"].flatMap((query) => [
    ["search", { query, limit: 20 }] as const,
    ["search", { query, limit: 20, mode: "words" }] as const,
    ["search", { query, limit: 20, mode: "vectors" }] as const,
    ["search", { query, source: "a/1.md" }] as const,
    ["search", { query, source: "texts/a/1.md" }] as const,
    ["search", { query, filter: { $or: [{ "metadata.audience": "hidden" }, { source: "a/1.md" }] } }] as const,
    ["search", { query, filter: { $not: { source: "none" } }, limit: 20 }] as const,
    ["search", { query, filter: { heading: { $contains: "hidden" } } }] as const,
    ["search", { query, offset: 6, limit: 20 }] as const
  ]),
  ...["a/1.md", "texts/a/1.md", "c/9.md", "g/2.md", "1.md", "2.md", "../texts/a/1.md", "a%2f1.md"].flatMap((source) => [
    ["outline", { source }] as const,
    ["outline", { source, cursor: base64({ from: 0 }) }] as const,
    ["read", { source }] as const,
    ["read", { source, heading: "hidden" }] as const,
    ["read", { source, pages: { from: 1, to: 9 } }] as const,
    ["read", { source, cursor: base64({ at: 0, end: 9999, chunk: "x" }) }] as const,
    ["look", { source, page: 1 }] as const,
    ["verify", { quote: "The password is xyzzy", source }] as const
  ]),
  ["read", { source: "b/1.md" }],
  ["read", { source: "b/1.md", heading: "hidden" }],
  ["read", { source: "b/1.md", cursor: base64({ at: 0, end: 9_999_999, chunk: "x" }) }],
  ["read", { source: "b/1.md", cursor: base64({ after: "texts/a/1.md" }) }],
  ["outline", { source: "b/1.md" }],
  ["outline", { source: "b/1.md", cursor: base64({ from: 1 }) }],
  ...["The password is xyzzy, and the vault is below the stairs.", "xyzzy", "hidden", "valve"].map(
    (quote) => ["verify", { quote }] as const
  ),
  ["verify", { quote: "Nobody may change the hidden valve without a second person." }]
]

const uris = ["texts/a/1.md", "a/1.md", "texts/g/2.md", "texts/b/1.md", "texts/../a"].flatMap((id) => [
  `docsluice://documents/${encodeURIComponent(id)}`,
  `docsluice://documents/${id}`,
  `docsluice://documents/${encodeURIComponent(id)}/pages/1`
])

/** All that the attempts give, each with what was asked. */
const answers = (tools: Tools) =>
  Effect.gen(function* () {
    const found: Array<readonly [string, string]> = []
    for (const [name, input] of attempts) {
      const result = yield* Effect.either(call(tools, name, input))
      found.push([`${name} ${JSON.stringify(input)}`, comparable(Either.merge(result))])
    }
    const resources = Resources.make(tools)
    found.push(["resources", comparable(yield* resources.list)])
    for (const uri of uris) found.push([uri, comparable(Either.merge(yield* Effect.either(resources.read(uri))))])
    return found
  })

/** Ids of hidden chunks and of chunks with neighbours are asked for as well. */
const hiddenChunks = (tools: Tools) =>
  Effect.map(call(tools, "search", { query: "hidden password", limit: 20 }), (result) => {
    const { hits } = JSON.parse(JSON.stringify(result))
    return hits.flatMap(({ chunk, source }: { readonly chunk: string; readonly source: string }) =>
      groups.hidden.some((one) => one === source) ? [chunk] : []
    )
  })

describe("Limits of tools", () => {
  it.scopedLive("under a filter, every answer is that of a store without what is hidden", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const [both, alone] = [storeIn(cwd, "both.db"), storeIn(cwd, "alone.db")]
      yield* filled(both, ["shown", "hidden"])
      yield* filled(alone, ["shown"])
      const filter = { "metadata.audience": "shown" } as const
      const [limited, expected] = [yield* over(both, { filter }), yield* over(alone, { filter })]
      const given = yield* answers(limited)
      assert.deepEqual(given, yield* answers(expected))
      for (const path of groups.shown) assert.include(given[1]?.[1], `"${path}"`)
      const chunks = yield* hiddenChunks(yield* over(both, {}))
      assert.isNotEmpty(chunks)
      for (const chunk of chunks) {
        for (const source of ["b/1.md", "a/1.md"]) {
          assert.instanceOf(yield* Effect.flip(call(limited, "read", { source, chunk, neighbours: 20 })), Error)
          assert.instanceOf(yield* Effect.flip(call(limited, "look", { source, chunk, page: 1 })), Error)
        }
      }
    })
  )

  it.scopedLive("of a tenant, every answer is that of a store without the others", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const [both, alone] = [storeIn(cwd, "both.db"), storeIn(cwd, "alone.db")]
      yield* filled(`${both}?tenant=one`, ["shown"])
      yield* filled(`${both}?tenant=other`, ["hidden"])
      yield* filled(`${alone}?tenant=one`, ["shown"])
      const limited = yield* answers(yield* over(both, { tenant: "one" }))
      assert.deepEqual(limited, yield* answers(yield* over(alone, { tenant: "one" })))
      const [[, status] = []] = limited
      assert.include(status, '"documents":3')
    })
  )

  it.scopedLive("draw no page of which the filter hides a passage", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const [store, state] = [join(cwd, "store.db"), join(cwd, "state")]
      const ingested = Effect.gen(function* () {
        const corpus = yield* Corpus.make({ to: `libsql:${store}`, state, chunker: { kind: "auto", maxTokens: 64 } })
        yield* corpus.ingest({ root: documents, name: "documents", patterns: ["handbook.pdf"] })
      })
      yield* Effect.scoped(ingested)
      const roots = { documents }
      const page = { source: "handbook.pdf", page: 3, width: 200 }
      const whole = yield* over(`libsql:${store}`, { filter: { source: "handbook.pdf" }, roots, state })
      assert.include(yield* call(whole, "look", page), { page: 3 })
      const part = yield* over(`libsql:${store}`, { filter: { heading: { $contains: "2.1 Access" } }, roots, state })
      const refused = yield* Effect.flip(call(part, "look", page))
      assert.strictEqual(refused.reason, "NoPicture")
      assert.include(
        (yield* call(part, "read", { source: "handbook.pdf", pages: { from: 3 } }))["text"],
        "They clean the gauge"
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("Patterns of ingest", () => {
  it.scopedLive("read nothing outside of the folder, by links, escapes or braces, and end soon", () =>
    Effect.gen(function* () {
      const base = yield* folder
      const root = join(base, "root")
      for (const made of [root, join(base, "out")]) mkdirSync(made)
      for (const path of ["secret.md", "out/deep.md", "root/a (1).md"])
        writeFileSync(join(base, path), "# A\n\nWords.\n")
      symlinkSync(join(base, "secret.md"), join(root, "link.md"))
      symlinkSync(join(base, "out"), join(root, "linked"))
      const corpus = yield* Corpus.make({ to: `libsql:${join(base, "store.db")}` })
      const tools = yield* Values.make(corpus, { write: true, roots: { texts: root } })
      const patterns = [
        ".{.,x}/*",
        "{.,}./secret.md",
        "x/\\.\\./\\.\\./secret.md",
        ".\\./secret.md",
        "[.][.]/secret.md",
        "link.md",
        "./link.md",
        "linked/deep.md",
        "linked/*",
        "link*",
        "link*/*",
        "**/deep.md",
        "secret.md\0",
        "..%2fsecret.md",
        "{a,b}".repeat(50),
        "{1..100000000}.md",
        "+(+(+(a)))b"
      ]
      for (const pattern of patterns) {
        const refused = yield* Effect.flip(call(tools, "ingest", { root: "texts", patterns: [pattern] }))
        assert.strictEqual(refused.reason, "Arguments", pattern)
      }
      for (const other of ["../root", root, "__proto__", "texts/", "x".repeat(200)]) {
        const refused = yield* Effect.flip(call(tools, "ingest", { root: other }))
        assert.strictEqual(refused.reason, "Arguments", other)
      }
      const own = { root: "texts", patterns: ["./a (1).md", "a*"] }
      assert.include(yield* call(tools, "ingest", own), { stored: 1, failed: 0 })
      assert.include(yield* call(tools, "ingest", { root: "texts" }), { stored: 0, unchanged: 1 })
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("show a document that was stored or removed to the next call", () =>
    Effect.gen(function* () {
      const base = yield* folder
      const root = join(base, "root")
      mkdirSync(root)
      const corpus = yield* Corpus.make({ to: `libsql:${join(base, "store.db")}` })
      const tools = yield* Values.make(corpus, { write: true, roots: { texts: root } })
      writeFileSync(join(root, "a.md"), "# A\n\nWords.\n")
      yield* call(tools, "ingest", { root: "texts" })
      assert.include(yield* call(tools, "status", {}), { documents: 1 })
      writeFileSync(join(root, "b.md"), "# B\n\nWords.\n")
      yield* call(tools, "ingest", { root: "texts" })
      assert.include(yield* call(tools, "status", {}), { documents: 2 })
      yield* call(tools, "remove", { source: "a.md" })
      assert.strictEqual((yield* Effect.flip(call(tools, "read", { source: "a.md" }))).reason, "UnknownDocument")
      assert.strictEqual((yield* Effect.flip(call(tools, "remove", { source: "a.md" }))).reason, "UnknownDocument")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("Arguments of tools", () => {
  it.scopedLive("are refused at once where they are too long, empty, no numbers or out of bounds", () =>
    Effect.gen(function* () {
      const to = storeIn(yield* folder, "store.db")
      yield* filled(to, ["shown"])
      const tools = yield* over(to, { write: true, roots: { texts: yield* folder } })
      const long = "x".repeat(1_000_000)
      const wrong = {
        string: [long, "", 7, {}],
        integer: [Number.NaN, Infinity, -Infinity, -1, 1e300, 1.5, "1"],
        array: [Array.from({ length: 100_000 }, () => "x"), long, [long], [null], {}],
        object: [long, [], JSON.parse(`${'{"$not":'.repeat(5000)}{}${"}".repeat(5000)}`), { [long]: 1 }]
      }
      const usual = { query: "gauge", source: "b/1.md", page: 1, quote: "gauge", root: "texts" }
      const begun = Date.now()
      let asked = 0
      for (const { inputSchema, name } of tools.all) {
        const { properties = {}, required = [] } = JSON.parse(JSON.stringify(inputSchema))
        const valid = Object.fromEntries(Object.entries(usual).filter(([member]) => required.includes(member)))
        for (const [type, values] of Object.entries(wrong)) {
          for (const member of Object.keys(properties).filter((one) => properties[one].type === type)) {
            for (const value of values) {
              const refused = yield* Effect.flip(call(tools, name, { ...valid, [member]: value }))
              assert.strictEqual(refused.reason, "Arguments", `${name} ${member}`)
              assert.isBelow(refused.message.length, 1500)
              asked += 1
            }
          }
        }
        const unknown = yield* Effect.either(call(tools, name, { ...valid, [long]: 1 }))
        assert.isBelow(JSON.stringify(unknown).length, 5000, name)
      }
      assert.isAbove(asked, 100)
      assert.isBelow(Date.now() - begun, 20_000)
    })
  )

  it.scopedLive("may be a quote of one word or of one that is found everywhere, and are answered soon", () =>
    Effect.gen(function* () {
      const to = storeIn(yield* folder, "store.db")
      yield* filled(to, ["shown"])
      const tools = yield* over(to, {})
      for (const [quote, stands] of [
        ["gauge", "exact"],
        ["the", "exact"],
        ["xyzzy", "absent"],
        [" ", "absent"],
        ["the gauge ".repeat(400), "absent"]
      ]) {
        assert.include(yield* Effect.timeout(call(tools, "verify", { quote }), "5 seconds"), { stands })
      }
    })
  )
})
