import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Option } from "effect"
import * as Allowed from "../../src/cli/Allowed.ts"
import { Description } from "../../src/internal/corpus/description.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-allowed-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const request = (given: Partial<ConstructorParameters<typeof Description>[0]>): Description =>
  Description.make({ root: "/nowhere", ...given })

/** The problem of a request; none for one that is allowed. */
const refused = (allow: ReadonlyArray<string>, given: Parameters<typeof request>[0]) =>
  Effect.flatMap(Allowed.parse(allow), (allowed) => Allowed.check(allowed, request(given))).pipe(
    Effect.flip,
    Effect.option,
    Effect.map(Option.map(({ message }) => message)),
    Effect.provide(NodeContext.layer)
  )

describe("--allow", () => {
  it.effect("takes a root in an allowed folder, or around one, and no other, whatever links say", () =>
    Effect.gen(function* () {
      const base = yield* folder
      for (const name of ["docs/in", "other"]) mkdirSync(join(base, name), { recursive: true })
      symlinkSync(join(base, "other"), join(base, "docs", "link"))
      const allow = [join(base, "docs")]
      for (const root of ["docs", "docs/in", "."])
        assert.isTrue(Option.isNone(yield* refused(allow, { root: join(base, root) })))
      for (const root of ["other", "docs/link", "docs/../other", "gone"]) {
        assert.match(
          Option.getOrElse(yield* refused(allow, { root: join(base, root) }), () => ""),
          /not allowed here: .*--allow/u
        )
      }
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a run over a part of a root that is not allowed, before anything of it is claimed", () =>
    Effect.gen(function* () {
      const base = yield* folder
      for (const name of ["docs", "other"]) mkdirSync(join(base, name))
      const allow = [join(base, "docs")]
      for (const paths of [["docs"], ["docs/**/*.pdf", "!docs/old"], [join(base, "docs/a.pdf")]]) {
        assert.isTrue(Option.isNone(yield* refused(allow, { root: base, patterns: paths })))
      }
      for (const paths of [["other"], ["docs", "other/*.pdf"], ["."], ["docs/../other"], ["**/*.pdf"]]) {
        assert.isTrue(Option.isSome(yield* refused(allow, { root: base, patterns: paths })), paths.join())
      }
      assert.isTrue(Option.isSome(yield* refused(allow, { root: base, filesFrom: ["other/a.pdf"] })))
    }).pipe(Effect.scoped)
  )

  it.effect("takes no address that only begins like an allowed one and leads out of it", () =>
    Effect.gen(function* () {
      const allow = ["s3://bucket/reports", "zip:/data", "list:https://example.com/lists"]
      for (const root of ["s3://bucket/reports/2026", "zip:/data/a.zip", "list:https://example.com/lists/a..b.txt"]) {
        assert.isTrue(Option.isNone(yield* refused(allow, { root })), root)
      }
      const out = ["s3://bucket/reports/../secret", "zip:/data/../etc/x.zip", "list:https://example.com/lists/%2e%2E/x"]
      for (const root of out) assert.isTrue(Option.isSome(yield* refused(allow, { root })), root)
      const allowed = yield* Allowed.parse(allow)
      assert.isTrue(
        Either.isRight(yield* Effect.either(Allowed.checkFile(allowed, "s3://bucket/reports", "a/b..c.pdf")))
      )
      for (const path of ["../secret.pdf", "a/../../secret.pdf"]) {
        assert.isTrue(Either.isLeft(yield* Effect.either(Allowed.checkFile(allowed, "s3://bucket/reports", path))))
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("takes a document of an allowed folder only", () =>
    Effect.gen(function* () {
      const base = yield* folder
      mkdirSync(join(base, "docs"))
      const allowed = yield* Allowed.parse([join(base, "docs")])
      assert.isTrue(Either.isRight(yield* Effect.either(Allowed.checkFile(allowed, base, "docs/a.pdf"))))
      for (const path of ["a.pdf", "docs/../a.pdf", "docsy/a.pdf"]) {
        assert.isTrue(Either.isLeft(yield* Effect.either(Allowed.checkFile(allowed, base, path))))
      }
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("takes targets, services, embedders, stores and hosts that are named, and no password is repeated", () =>
    Effect.gen(function* () {
      const root = "s3://bucket/reports"
      const allow = ["s3://bucket", "pgvector:postgres://user:s3cret@db/chunks"]
      assert.isTrue(Option.isNone(yield* refused(allow, { root, to: ["pgvector:postgres://db/chunks"] })))
      const wrong = [
        { root: "s3://bucket-2/reports" },
        { root, to: ["pgvector:postgres://db2/chunks"] },
        { root, to: ["jsonl:/etc/passwd"] },
        { root, service: "https://attacker.example" },
        { root, embedder: "openai:model@https://attacker.example" },
        { root, embedder: "transformers:attacker/model" },
        { root, embedder: "cohere:embed-v4.0" },
        { root, embedder: "hash:attacker/model" },
        { root, endpoint: "https://attacker.example" },
        { root: "list:https://a.example/list.txt" }
      ]
      for (const one of wrong) {
        const problem = Option.getOrElse(yield* refused(allow, one), () => "")
        assert.match(problem, /not allowed here/u)
        assert.notInclude(problem, "s3cret")
      }
      const more = [
        ...allow,
        "https://service.example",
        "openai:model@https://e.example",
        "transformers:own/model",
        "voyage:voyage-3.5",
        "10.0.0.0/8",
        "list:https://a.example/list.txt"
      ]
      const right = [
        { root, service: "https://service.example/" },
        { root, embedder: "openai:model@https://e.example" },
        { root, embedder: "transformers:own/model" },
        { root, embedder: "voyage:voyage-3.5" },
        ...["none", "hash"].map((embedder) => ({ root, embedder })),
        { root: "list:https://a.example/list.txt", allowPrivate: ["10.0.0.0/8"] }
      ]
      for (const one of right) assert.deepStrictEqual(yield* refused(more, one), Option.none())
    })
  )
})
