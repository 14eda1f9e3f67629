import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Discovery from "docsluice/Discovery"
import { Chunk, Effect, Stream } from "effect"
import { discover as discoverWith } from "../src/internal/discovery/discover.ts"
import { disk } from "../src/internal/discovery/glob.ts"
import { collect, files, name, names, tree } from "./fixtures/discovered.ts"

describe("Discovery", () => {
  it.scoped("finds everything below the root, and counts files that the service does not take", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1", "b/c.HTML": "2", "b/notes.psd": "3", "b/Makefile": "4" })
      assert.deepStrictEqual(yield* names({ root }), ["a.pdf", "b/Makefile?", "b/c.HTML", "b/notes.psd?"])
    })
  )

  it.scoped("names a document by the root's name and the path below it, wherever the root lies", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "docs/x/a.csv": "a,b\n" })
      const [file] = files(yield* collect(Discovery.discover({ root: path.join(root, "docs") })))
      assert.strictEqual(file?.documentId, "docs/x/a.csv")
      const [other] = files(yield* collect(Discovery.discover({ root, name: "team", patterns: ["docs"] })))
      assert.strictEqual(other?.documentId, "team/docs/x/a.csv")
    })
  )

  it.scoped("gives size, times in nanoseconds, inode and the exact bytes", () =>
    Effect.gen(function* () {
      const content = "x".repeat(600_000)
      const root = yield* tree({ "a.csv": content })
      const [file] = files(yield* collect(Discovery.discover({ root })))
      assert.isDefined(file)
      const stat = fs.statSync(path.join(root, "a.csv"), { bigint: true })
      assert.strictEqual(file.size, 600_000)
      assert.deepStrictEqual(file.fingerprint, {
        _tag: "Stat",
        modified: stat.mtimeNs,
        changed: stat.ctimeNs,
        inode: stat.ino
      })
      const parts = Chunk.toReadonlyArray(yield* Stream.runCollect(file.open))
      assert.isAtMost(Math.max(...parts.map((part) => part.length)), 262_144)
      assert.strictEqual(Buffer.concat(parts).toString(), content)
    })
  )

  it.scoped("fails to open a file whose size has changed", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.csv": "abc", "b.csv": "abc" })
      const [a, b] = files(yield* collect(Discovery.discover({ root, ordered: true })))
      fs.appendFileSync(path.join(root, "a.csv"), "d")
      fs.rmSync(path.join(root, "b.csv"))
      assert.isDefined(a)
      assert.isDefined(b)
      const changed = yield* Effect.flip(Stream.runDrain(a.open))
      assert.deepInclude(changed, { _tag: "FileChanged", expected: 3, actual: 4 })
      const gone = yield* Effect.flip(Stream.runDrain(b.open))
      assert.deepInclude(gone, { _tag: "FileUnreadable", reason: "NotFound" })
    })
  )

  it.scoped("closes a file that is no longer read", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.csv": "x".repeat(1_000_000) })
      const [file] = files(yield* collect(Discovery.discover({ root })))
      assert.isDefined(file)
      const open = () => fs.readdirSync("/proc/self/fd").filter((fd) => target(fd).endsWith("a.csv")).length
      const during = yield* file.open.pipe(
        Stream.mapEffect(() => Effect.sync(open)),
        Stream.take(1),
        Stream.runHead
      )
      assert.deepStrictEqual(during._tag === "Some" ? during.value : 0, 1)
      assert.strictEqual(open(), 0)
    }).pipe(Effect.when(() => fs.existsSync("/proc/self/fd")))
  )

  it.scoped("finds a file once, however often it is named", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a/x.pdf": "1", "a/y.pdf": "2" })
      const patterns = ["a/x.pdf", "a", "**/*.pdf", "a/*.pdf", path.join(root, "a", "y.pdf")]
      assert.deepStrictEqual(yield* names({ root, patterns }), ["a/x.pdf", "a/y.pdf"])
    })
  )

  it.scoped("ignores case in patterns", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "A.PDF": "1", "b.Pdf": "2", "c.csv": "3" })
      assert.deepStrictEqual(yield* names({ root, patterns: ["*.pdf"] }), ["A.PDF", "b.Pdf"])
    })
  )

  it.scoped("matches existing names literally, whatever characters they have", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        "report [final] (2).pdf": "1",
        "reportf2.pdf": "2",
        "plan {a,b}/x*.csv": "3",
        "plan {a,b}/xy.csv": "4",
        "!odd/z.pdf": "5"
      })
      assert.deepStrictEqual(yield* names({ root, patterns: ["report [final] (2).pdf"] }), ["report [final] (2).pdf"])
      assert.deepStrictEqual(yield* names({ root, patterns: ["plan {a,b}"] }), [
        "plan {a,b}/x*.csv",
        "plan {a,b}/xy.csv"
      ])
      assert.deepStrictEqual(yield* names({ root, patterns: ["plan {a,b}/x*.csv"] }), ["plan {a,b}/x*.csv"])
      assert.deepStrictEqual(yield* names({ root, patterns: ["plan {a,b}/*y.csv"] }), ["plan {a,b}/xy.csv"])
      assert.deepStrictEqual(yield* names({ root, patterns: ["!odd"] }), ["!odd/z.pdf"])
    })
  )

  it.scoped("reads names from a list literally, not as patterns", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1", "b/c.pdf": "2", "d.pdf": "3" })
      assert.deepStrictEqual(yield* names({ root, filesFrom: ["b", "a.pdf", "*.pdf"] }), [
        "*.pdf!FileUnreadable",
        "a.pdf",
        "b/c.pdf"
      ])
    })
  )

  it.scoped("leaves out dot files, node_modules and lock files unless they are named", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        "a.pdf": "1",
        ".hidden.pdf": "2",
        ".git/x.html": "3",
        "node_modules/p/readme.html": "4",
        "sub/node_modules/p/readme.html": "5",
        "~$a.docx": "6"
      })
      assert.deepStrictEqual(yield* names({ root }), ["a.pdf"])
      assert.deepStrictEqual(yield* names({ root, patterns: [".hidden.pdf", "a.pdf", "~$a.docx"] }), [
        ".hidden.pdf",
        "a.pdf"
      ])
      assert.deepStrictEqual(yield* names({ root, patterns: [".git"] }), [".git/x.html"])
      assert.deepStrictEqual(yield* names({ root, patterns: ["node_modules/p", "."] }), [
        "a.pdf",
        "node_modules/p/readme.html"
      ])
    })
  )

  it.scoped("leaves out files that match ignore globs or excluded paths, whether found or named", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        "a.pdf": "1",
        "draft.pdf": "2",
        "sub/draft.pdf": "3",
        "sub/old/b.pdf": "4",
        "out [1]/chunk.html": "5"
      })
      assert.deepStrictEqual(
        yield* names({ root, ignore: ["draft.*", "sub/old"], exclude: [path.join(root, "out [1]")] }),
        ["a.pdf"]
      )
      assert.deepStrictEqual(yield* names({ root, patterns: ["a.pdf", "draft.pdf"], ignore: ["draft.pdf"] }), ["a.pdf"])
      assert.deepStrictEqual(yield* names({ root, patterns: ["**/*.pdf", "!sub/**"] }), ["a.pdf", "draft.pdf"])
    })
  )

  it.scoped("follows nested .gitignore files when asked, the nearer one first", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        ".git/HEAD": "",
        ".gitignore": "*.csv\nbuild/\n/top.pdf\n",
        "a.csv": "1",
        "top.pdf": "2",
        "sub/top.pdf": "3",
        "sub/.gitignore": "!keep.csv\nsecret.pdf\n",
        "sub/keep.csv": "4",
        "sub/other.csv": "5",
        "sub/secret.pdf": "6",
        "sub/deep/secret.pdf": "7",
        "build/x.pdf": "8"
      })
      const expected = ["sub/keep.csv", "sub/top.pdf"]
      assert.deepStrictEqual(yield* names({ root, gitignore: true }), expected)
      assert.deepStrictEqual(yield* names({ root: path.join(root, "sub"), gitignore: true }), ["keep.csv", "top.pdf"])
      assert.deepStrictEqual(
        yield* names({ root, gitignore: true, patterns: ["a.csv", "sub/top.pdf", "build", "build/*.pdf"] }),
        ["sub/top.pdf"]
      )
    })
  )

  it.scoped("reports an unreadable folder and continues with its siblings", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a/x.pdf": "1", "locked/y.pdf": "2", "z.pdf": "3" })
      const found = yield* collect(
        discoverWith({
          root,
          name: undefined,
          patterns: ["."],
          names: [],
          ignore: [],
          exclude: [],
          gitignore: false,
          ordered: true,
          followSymbolicLinks: false,
          maxBytes: 100,
          types: undefined,
          containers: undefined,
          disk: {
            readFolder: (folder, done) =>
              folder.endsWith("locked")
                ? done(Object.assign(new Error("permission denied"), { code: "EACCES" }), [])
                : disk.readFolder(folder, done)
          }
        })
      )
      assert.deepStrictEqual(found.map(name), ["a/x.pdf", "locked!FileUnreadable", "z.pdf"])
      const locked = found.find((item) => item._tag === "Unusable")
      assert.deepInclude(locked, { folder: true })
      assert.deepInclude(locked?.error, { reason: "PermissionDenied" })
    })
  )

  it.scoped("reports a file or folder that vanishes between the listing and the look", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1", "b.pdf": "2", "c/d.pdf": "3" })
      const found = yield* collect(
        discoverWith({
          root,
          name: undefined,
          patterns: ["."],
          names: [],
          ignore: [],
          exclude: [],
          gitignore: false,
          ordered: true,
          followSymbolicLinks: false,
          maxBytes: 100,
          types: undefined,
          containers: undefined,
          disk: {
            readFolder: (folder, done) =>
              disk.readFolder(folder, (error, entries) => {
                fs.rmSync(path.join(root, "b.pdf"), { force: true })
                fs.rmSync(path.join(root, "c"), { recursive: true, force: true })
                done(error, entries)
              })
          }
        })
      )
      assert.deepStrictEqual(found.map(name), ["a.pdf", "b.pdf!FileUnreadable", "c!FileUnreadable"])
    })
  )

  it.scoped("reports empty and too large files, and unsupported ones that were named", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "", "b.pdf": "12345", "c.psd": "1", "d.pdf": "1" })
      assert.deepStrictEqual(yield* names({ root, maxBytes: 4, patterns: ["c.psd", "*.pdf"] }), [
        "a.pdf!FileUnreadable",
        "b.pdf!FileTooLarge",
        "c.psd!UnsupportedFile",
        "d.pdf"
      ])
    })
  )

  it.scoped("reports names that are not valid UTF-8", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1" })
      fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from(".pdf")]), "2")
      const found = yield* collect(Discovery.discover({ root, ordered: true }))
      assert.deepStrictEqual(found.map(name), ["a.pdf", "caf\uFFFD.pdf!FileUnreadable"])
      const odd = found.find((item) => item._tag === "Unusable")
      assert.deepInclude(odd?.error, { reason: "Name" })
    })
  )

  it.scoped("does not follow links unless asked to, and then reads each folder once and survives cycles", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a/x.pdf": "1", "b/y.pdf": "2" })
      fs.symlinkSync("..", path.join(root, "a", "up"))
      fs.symlinkSync("../b", path.join(root, "a", "b-again"))
      fs.symlinkSync("../a", path.join(root, "b", "a-again"))
      fs.symlinkSync("a/x.pdf", path.join(root, "link.pdf"))
      fs.symlinkSync("nowhere.pdf", path.join(root, "broken.pdf"))
      assert.deepStrictEqual(yield* names({ root }), ["a/x.pdf", "b/y.pdf"])
      assert.deepStrictEqual(yield* names({ root, followSymbolicLinks: true }), [
        "a/x.pdf",
        "b/y.pdf",
        "broken.pdf!FileUnreadable",
        "link.pdf"
      ])
      assert.deepStrictEqual(yield* names({ root, patterns: ["link.pdf"] }), ["link.pdf"])
    })
  )

  it.scoped("sorts by UTF-16 code units when ordered", () =>
    Effect.gen(function* () {
      const root = yield* tree({
        "b.pdf": "1",
        "B.pdf": "2",
        "a/z.pdf": "3",
        "a.pdf": "4",
        "ä.pdf": "5",
        "10.pdf": "6"
      })
      assert.deepStrictEqual(yield* names({ root }), ["10.pdf", "B.pdf", "a.pdf", "a/z.pdf", "b.pdf", "ä.pdf"])
    })
  )

  const failure = (options: Discovery.Options) => Effect.flip(Stream.runDrain(Discovery.discover(options)))

  it.scoped("refuses a missing root, and a root that is a file", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1" })
      assert.deepInclude(yield* failure({ root: path.join(root, "no") }), { reason: "RootMissing" })
      assert.deepInclude(yield* failure({ root: path.join(root, "a.pdf") }), { reason: "RootNotAFolder" })
    })
  )

  it.scoped("refuses paths and globs outside of the root, and names a root under which they would do", () =>
    Effect.gen(function* () {
      const top = yield* tree({ "root/a.pdf": "1", "beside/b.pdf": "2" })
      const root = path.join(top, "root")
      const beside = path.join(top, "beside")
      for (const argument of ["../beside/b.pdf", "../beside", "../beside/*.pdf", `${beside}/**/*.pdf`]) {
        const error = yield* failure({ root, patterns: [argument] })
        assert.deepInclude(error, { reason: "OutsideRoot", argument, remedy: beside })
        assert.include(error.message, `\`root\` ${beside}`)
      }
      assert.deepStrictEqual(yield* names({ root, patterns: ["../root/a.pdf"] }), ["a.pdf"])
    })
  )

  it.scoped("refuses braces that lead out of the root, or stand for more than can be listed", () =>
    Effect.gen(function* () {
      const top = yield* tree({ "root/a.pdf": "1", "b.pdf": "2" })
      const root = path.join(top, "root")
      for (const argument of [".{.,x}/*.pdf", "{.,}./b.pdf", "{1..900000}.pdf"]) {
        assert.strictEqual((yield* failure({ root, patterns: [argument] }))._tag, "DiscoveryError", argument)
      }
      assert.deepStrictEqual(yield* names({ root, patterns: ["{a,b}.pdf"] }), ["a.pdf"])
    })
  )

  it.scoped("refuses an address and gives the reason", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1" })
      const error = yield* failure({ root, patterns: ["a.pdf", "https://example.org/a.pdf"] })
      assert.deepInclude(error, { reason: "Url", argument: "https://example.org/a.pdf" })
      assert.include(error.message, "sitemap:URL")
    })
  )

  it.scoped("reports that nothing matches, and reports a missing name next to existing files", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.pdf": "1", "empty/.keep": "" })
      for (const argument of ["*.docx", "b.pdf", "empty", "no/such/*.pdf"]) {
        assert.deepInclude(yield* failure({ root, patterns: [argument] }), { reason: "NoMatch", argument })
      }
      const said = (...patterns: ReadonlyArray<string>) =>
        Effect.map(failure({ root, patterns }), ({ message }) => message)
      assert.strictEqual(yield* said("empty"), "empty: nothing matches")
      assert.strictEqual(yield* said("*.docx"), "*.docx: nothing matches")
      assert.strictEqual(yield* said("b.pdf", "c"), "b.pdf c: no such file or folder")
      assert.strictEqual(yield* said("b.pdf", "empty"), "b.pdf empty: nothing matches")
      assert.deepStrictEqual(yield* names({ root, patterns: ["b.pdf", "a.pdf"] }), ["a.pdf", "b.pdf!FileUnreadable"])
    })
  )

  it.scoped("finds thousands of files, each once, through a slow consumer and after an early end", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`d${index % 30}/${index}.csv`, "1"]))
      const root = yield* tree(many)
      const found = yield* names({ root })
      assert.strictEqual(new Set(found).size, 3000)
      const few = yield* Discovery.discover({ root }).pipe(Stream.take(5), Stream.runCount)
      assert.strictEqual(few, 5)
    })
  )
})

const target = (fd: string): string => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ""
  }
}
