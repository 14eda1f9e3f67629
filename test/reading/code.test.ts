import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { citation } from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Readers from "docsluice/Readers"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { grammarOf } from "../../src/internal/base/codeType.ts"
import * as code from "../../src/internal/reading/code.ts"
import { assertLaws } from "../chunking/laws.ts"
import { chunksOf, fileOf } from "./reading.ts"

/** Headings over each part of the code, outermost first. */
const pathsOf = (extension: string, text: string) =>
  Effect.gen(function* () {
    const grammar = grammarOf(extension)
    assert(grammar !== undefined)
    const { blocks = [] } = yield* code.reading(text, grammar)
    assert.strictEqual(blocks.map(({ end, start }) => text.slice(start, end)).join(""), text)
    return blocks.map(({ end, path = [], start }) => [path.join(" > "), text.slice(start, end).trim().split("\n")[0]])
  })

/** The document of a file of source code, as `Readers.sourceCode` reads it. */
const parse = (path: string, text: string) =>
  Effect.gen(function* () {
    const extension = path.slice(path.lastIndexOf(".") + 1)
    return yield* Parser.texts()
      .parse(fileOf(path, text), {})
      .pipe(Effect.provide(Readers.layer([Readers.sourceCode(extension)])))
  })

const typescript = `import { a } from "a"

const limit = 3

/** Adds. */
// More.
export const add = (left: number, right: number): number => {
  const inner = () => 1
  return left + right
}

@Injectable({ provided: "root" })
export default class Gauge<T> extends Base {
  private level = 0

  /** Reads it. */
  async read(at: Date): Promise<number> {
    return this.level
  }

  reset = (): void => { this.level = 0 }
}

namespace Tools {
  export function help(): void {}
}
`

describe("source code", () => {
  it.effect("has the functions and classes around a line as its headings, with their signatures and comments", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* pathsOf("ts", typescript), [
        ["", 'import { a } from "a"'],
        ["export const add = (left: number, right: number): number", "/** Adds. */"],
        ["export default class Gauge<T> extends Base", '@Injectable({ provided: "root" })'],
        ["export default class Gauge<T> extends Base > async read(at: Date): Promise<number>", "/** Reads it. */"],
        ["export default class Gauge<T> extends Base > reset = (): void", "reset = (): void => { this.level = 0 }"],
        ["export default class Gauge<T> extends Base", "}"],
        ["namespace Tools", "namespace Tools {"],
        ["namespace Tools > export function help(): void", "export function help(): void {}"],
        ["namespace Tools", "}"]
      ])
    })
  )

  it.effect("is read in each language that there is a grammar of", () =>
    Effect.gen(function* () {
      const cases: Readonly<Record<string, readonly [text: string, ...paths: ReadonlyArray<string>]>> = {
        py: [
          "import os\n\n@cached\ndef read(at: int,\n         by: str) -> str:\n    return at\n\nclass Gauge(Base):\n    async def reset(self):\n        pass\n",
          "", "def read(at: int, by: str) -> str", "class Gauge(Base)", "class Gauge(Base) > async def reset(self)"
        ],
        cpp: [
          "#ifndef A\n#define A\nnamespace n {\ntemplate <class T> class Gauge : Base {\n  int read(int at) const { return 1; }\n};\n}\nint main(int argc, char** argv) { return 0; }\n#endif\n",
          "", "namespace n", "namespace n > template <class T> class Gauge : Base",
          "namespace n > template <class T> class Gauge : Base > int read(int at) const",
          "namespace n > template <class T> class Gauge : Base", "namespace n", "int main(int argc, char** argv)", ""
        ],
        go: [
          "package x\n\n// Reads.\nfunc (g *Gauge) Read(at int) error {\n\treturn nil\n}\n\ntype Gauge struct {\n\tA int\n}\n",
          "", "func (g *Gauge) Read(at int) error", "type Gauge struct"
        ],
        rs: [
          "#[derive(Debug)]\npub struct Gauge { a: i32 }\nimpl<T> Read for Gauge<T> {\n    fn read(&self) -> i32 { 1 }\n}\n",
          "pub struct Gauge", "impl<T> Read for Gauge<T>", "impl<T> Read for Gauge<T> > fn read(&self) -> i32", "impl<T> Read for Gauge<T>"
        ],
        java: [
          "package a;\npublic class Gauge extends Base {\n  @Override\n  int read(int at) throws E { return 1; }\n}\n",
          "", "public class Gauge extends Base", "public class Gauge extends Base > int read(int at) throws E", "public class Gauge extends Base"
        ],
        rb: [
          "module M\n  class Gauge < Base\n    def read(at)\n      1\n    end\n  end\nend\n",
          "module M", "module M > class Gauge < Base", "module M > class Gauge < Base > def read(at)", "module M > class Gauge < Base", "module M"
        ],
        cs: [
          "namespace N {\n  class Gauge {\n    void Read(int at) { }\n  }\n}\n",
          "namespace N", "namespace N > class Gauge", "namespace N > class Gauge > void Read(int at)", "namespace N > class Gauge", "namespace N"
        ],
        php: [
          "<?php\nclass Gauge {\n  function read($at) { return 1; }\n}\nfunction help() {}\n",
          "", "class Gauge", "class Gauge > function read($at)", "class Gauge", "function help()"
        ],
        sh: ["set -e\n\nread_it() {\n  echo\n}\n", "", "read_it()"],
        ps1: ["$x = 1\n\nfunction Get-Gauge {\n  1\n}\n", "", "function Get-Gauge"]
      } // prettier-ignore
      for (const [extension, [text, ...paths]] of Object.entries(cases))
        assert.deepEqual((yield* pathsOf(extension, text)).map(([path]) => path), paths, extension) // prettier-ignore
    })
  )

  it.effect("is cited by its lines, with the functions as the headings of its chunks", () =>
    Effect.gen(function* () {
      const document = yield* parse("gauge.ts", typescript)
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 32, minTokens: 0 }).chunk(document)
      const read = chunks.find(({ text }) => text.includes("async read"))
      assert(read !== undefined)
      assert.strictEqual(citation(read), "gauge.ts, lines 16–19")
      assert.deepEqual(read.headingPath.map(({ text }) => text), [
        "export default class Gauge<T> extends Base", "async read(at: Date): Promise<number>"
      ]) // prettier-ignore
      assert.deepInclude(read.metadata, { firstLine: 16, lastLine: 19 })
    }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
  )

  it.effect("of this package keeps the laws of chunks", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      const folder = join(import.meta.dirname, "../../src/internal/reading")
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".ts"))) {
        const document = yield* parse(name, readFileSync(join(folder, name), "utf8"))
        assert.isAbove(document.structure?.length ?? 0, 1, name)
        for (const maxTokens of [64, 512]) {
          const chunked = yield* MarkdownChunker.make({ maxTokens }).chunk(document)
          assertLaws(document, chunked, { tokenizer, maxTokens, dropped: [] })
        }
      }
    }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
  )

  it.effect("that is no code, or too long, or of a language without a grammar, is lines", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* pathsOf("ts", "}}} <<<< this is not code ((("), [["", "}}} <<<< this is not code ((("]])
      assert.deepEqual(yield* pathsOf("ts", ""), [])
      const long = yield* code.reading("const a = 1\n".repeat(100_000), "typescript")
      assert.lengthOf(long.blocks ?? [], 1)
      assert.match(long.warnings?.join() ?? "", /longer than a million/u)
      const deep = yield* code.reading("class A { m() { ".repeat(20_000), "typescript")
      assert.isAtLeast(deep.blocks?.length ?? 0, 1)
      const other = yield* parse("a.lua", "local a = 1\n\nlocal b = 2\n")
      assert.deepEqual(other.structure?.map(({ kind }) => kind), ["code"]) // prettier-ignore
      assert.isAbove((yield* chunksOf("a.txt", "words")).length, 0)
    })
  )
})
