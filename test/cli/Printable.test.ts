import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Printable from "../../src/cli/Printable.ts"
import * as FaultServer from "../faultserver/server.ts"
import { runHere } from "./run.ts"
import * as Workplace from "./workplace.ts"

/** Sets the title, forges a line, begins a colour (C0 and C1), turns the direction, breaks the line. */
const evil = "a\u001B]0;t\u0007\rstored 9 documents\u009B31m\u202Efdp\u2066x\u2028y\u0085z\u007F"

/** The line breaks that a terminal makes of the output are the only control characters in it. */
const clean = (text: string): boolean => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text.replaceAll("\n", ""))

describe("Printable", () => {
  it("escapes every control character of a line as JSON does", () => {
    assert.strictEqual(
      Printable.line("a\u001B[31m\n\r\t\u007F\u0080\u009F\u061C\u200E\u202E\u2069\u2028é‍👩"),
      "a\\u001b[31m\\n\\r\\t\\u007f\\u0080\\u009f\\u061c\\u200e\\u202e\\u2069\\u2028é‍👩"
    )
    const value = { name: evil, [evil]: ["\n"] }
    assert.deepStrictEqual(JSON.parse(Printable.line(JSON.stringify(value))), value)
  })

  it("leaves a document its line breaks and tabs, and no carriage return within a line", () => {
    assert.strictEqual(Printable.document("a\r\nb\tc\rd\n\u001B"), "a\r\nb\tc\\rd\n\\u001b")
  })

  it("indents the further lines of a message", () => {
    assert.strictEqual(Printable.block("a\nstored 1\u001B"), "a\n  stored 1\\u001b")
  })
})

describe("the command line", () => {
  it.scopedLive("prints no control character of a name, a text, a message or a word of its own line", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const names = [`${evil}.pdf`, `c${evil}@success-false.pdf`, `${evil}.docx`]
      for (const name of names) writeFileSync(join(place.docs, name), `document ${name}`)
      writeFileSync(join(place.docs, `empty${evil}.pdf`), "")
      const store = ["--to", `libsql:${join(place.folder, "chunks.db")}`]
      const state = ["--state", place.state]
      const run = ["--root", place.docs, ...state, "--service", place.service.base, ...store, "."]
      const printed = [
        yield* place.run("ingest", ...run, "--log-level", "all", `nowhere${evil}.pdf`),
        yield* place.run("ingest", ...run, "--json", "--refresh"),
        yield* place.run("plan", ...run, "--refresh"),
        yield* place.run("retry", ...state),
        yield* place.run("status", ...state),
        yield* place.run("status", ...state, "--json"),
        yield* place.run("doctor", ...state),
        yield* place.run("search", "stored", "documents", ...store),
        yield* place.run("search", "stored", ...store, "--json"),
        yield* place.run("remove", `${evil}.pdf`, ...state),
        yield* place.run("remove", `none${evil}`, ...state),
        yield* place.run("chunks", join(place.docs, `${evil}.pdf`), "--service", place.service.base),
        yield* place.run("parse", join(place.docs, `none${evil}.pdf`)),
        yield* place.run("parse", `a${evil}`, `b${evil}`),
        yield* place.run("parse", "a", "b\u001B[8m"),
        yield* place.run("ingest", `--x${evil}`),
        yield* place.run("ingest", evil, "--max-tokens", evil),
        yield* place.run("ingest", evil, "--embedder", evil),
        yield* place.run("search", evil, "--to", evil),
        yield* place.run("cache", "--state", evil),
        yield* place.run(evil)
      ]
      const said = printed.map(({ stderr, stdout }) => stdout + stderr)
      for (const text of said) assert.isTrue(clean(text), JSON.stringify(text))
      assert.isTrue(said.every((text) => !/^stored 9/m.test(text)))
      assert.include(
        said[0],
        "\\u001b]0;t\\u0007\\rstored 9 documents\\u009b31m\\u202efdp\\u2066x\\u2028y\\u0085z\\u007f.pdf"
      )
      const hits = yield* Schema.decodeUnknown(
        Schema.parseJson(Schema.Array(Schema.Struct({ source: Schema.String })))
      )(printed[8]?.stdout)
      assert.include(
        hits.map(({ source }) => source),
        `${evil}.pdf`
      )
    })
  )

  it.scopedLive("prints what a service says escaped, and a document as it is to a file only", () =>
    Effect.gen(function* () {
      const place = yield* Workplace.make
      const file = join(place.docs, "gauges.pdf")
      const service = yield* FaultServer.start({
        document: () => ({ success: true, data: { markdown: evil, warning: evil, metadata: { title: evil } } })
      })
      const refusing = yield* FaultServer.start({
        document: () => {
          throw new Error(evil)
        }
      })
      const words = ["parse", file, "--service", service.base]
      const piped = yield* Effect.promise(() => runHere(words))
      assert.strictEqual(piped.stdout, `${evil}\n`)
      assert.isTrue(clean(piped.stderr))
      const shown = yield* Effect.promise(() => runHere(words, { isTTY: true }))
      assert.strictEqual(shown.stdout, `${Printable.document(evil)}\n`)
      for (const given of [
        ["parse", file, "--service", refusing.base],
        ["parse", file, "--service", service.base, "--json"],
        ["parse", evil],
        ["chunks", file, "--max-tokens", evil]
      ]) {
        const { stderr, stdout } = yield* Effect.promise(() => runHere(given, { isTTY: true }))
        assert.isTrue(clean(stdout + stderr), stdout + stderr)
        assert.include(stdout + stderr, "\\u001b]0;t")
      }
      // A word too many may be a secret.
      const surplus = yield* Effect.promise(() => runHere(["parse", "a", evil], { isTTY: true }))
      assert.strictEqual(surplus.status, 64)
      assert.notInclude(surplus.stdout + surplus.stderr, "]0;t")
      const help = yield* Effect.promise(() => runHere(["parse", "--help"], { isTTY: true }))
      assert.include(help.stdout, "\u001B[")
    })
  )
})
