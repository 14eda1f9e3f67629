import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Source from "docsluice/Source"
import * as Archive from "docsluice/source/Archive"
import * as SourceFile from "docsluice/SourceFile"
import { Chunk, Effect, Stream } from "effect"
import { zipSync } from "fflate"
import * as Archives from "./archives.ts"

type Seen = readonly [path: string, what: string]

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Each finding by its path: the text of a file, the reason or the tag of the rest. */
const seen = (options: Archive.Options) =>
  Archive.make(options).files.pipe(
    Stream.mapEffect((found): Effect.Effect<Seen> => {
      if (found._tag === "SourceFile") {
        return Effect.match(SourceFile.bytes(found), {
          onFailure: (error) => [found.path, error.message],
          onSuccess: (bytes) => [found.path, text(bytes)]
        })
      }
      if (found._tag === "Unsupported") return Effect.succeed([found.path, found._tag])
      return Effect.succeed([found.path, "reason" in found.error ? found.error.reason : found.error._tag])
    }),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.scoped
  )

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-archive-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

/** An archive with those bytes. */
const given = (name: string, bytes: Uint8Array) =>
  Effect.map(folder, (made) => {
    const file = join(made, name)
    writeFileSync(file, bytes)
    return file
  })

const reasonOf = (error: unknown): unknown => (error instanceof Source.SourceUnavailable ? error.reason : error)

const utf8 = (body: string) => new TextEncoder().encode(body)

describe("Archive", () => {
  it.scoped("reads zip archives: deflated and stored, folders, names in any script, what is left out", () =>
    Effect.gen(function* () {
      const bytes = zipSync({
        "a.md": utf8("# A"),
        "in/ü 中.md": [utf8("wide"), { level: 0 }],
        "in/long.md": utf8("line\n".repeat(60_000)),
        "in/.hidden/x.md": utf8("no"),
        "pictures/x.bin": utf8("binary"),
        "empty/": new Uint8Array()
      })
      const root = `zip:${yield* given("docs.zip", bytes)}`
      assert.sameDeepMembers(
        [...(yield* seen({ root }))],
        [
          ["a.md", "# A"],
          ["in/ü 中.md", "wide"],
          ["in/long.md", "line\n".repeat(60_000)],
          ["pictures/x.bin", "Unsupported"]
        ]
      )
      assert.deepEqual(yield* seen({ root, patterns: ["in/**/*.md"], ignore: ["long.md"] }), [["in/ü 中.md", "wide"]])
      assert.deepEqual(yield* seen({ root, filesFrom: ["a.md", "gone.md"] }), [
        ["a.md", "# A"],
        ["gone.md", "NotFound"]
      ])
      assert.strictEqual(Archive.make({ root }).scope.root, "docs.zip")
      const wide = `zip:${yield* given("wide.zip", Archives.zip64("wide.md", "# 64 bits"))}`
      assert.deepEqual(yield* seen({ root: wide }), [["wide.md", "# 64 bits"]])
    })
  )

  it.scoped("refuses members of a zip archive that lie, are encrypted or lead out of it, each as a document", () =>
    Effect.gen(function* () {
      const bytes = Archives.zip([
        { name: "good.md", body: "good" },
        { name: "../out.md", body: "x" },
        { name: "/etc/absolute.md", body: "x" },
        { name: "..\\..\\windows.md", body: "x" },
        { name: "in\\windows.md", body: "w" },
        { name: "locked.md", body: "x", flags: 0x801 },
        { name: "lzma.md", body: "x", method: 14 },
        { name: Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x64]), body: "x" },
        { name: Buffer.from("caf\x82.md", "latin1"), body: "old", flags: 0 },
        { name: "larger.md", body: "0123456789", size: 4 },
        { name: "other.md", body: "other", crc: 1 }
      ])
      const root = `zip:${yield* given("hostile.zip", bytes)}`
      const found = new Map(yield* seen({ root }))
      assert.deepInclude(Object.fromEntries(found), {
        "good.md": "good",
        "../out.md": "Name",
        "/etc/absolute.md": "Name",
        "../../windows.md": "Name",
        "in/windows.md": "w",
        "locked.md": "Encrypted",
        "lzma.md": "Io",
        "f\uFFFD.md": "Name",
        "café.md": "old"
      })
      assert.include(found.get("larger.md"), "could not be read")
      assert.include(found.get("other.md"), "could not be read")
    })
  )

  it.scoped(
    "refuses a zip archive as a whole: bombs, two files of one name, a wrong count, an end that is missing",
    () =>
      Effect.gen(function* () {
        const one = { name: "a.md", body: "a".repeat(4000) }
        const overlapping = Array.from({ length: 40 }, (_, index) => ({ ...one, name: `${index}.md`, at: 0 }))
        const whole = zipSync({ "a.md": utf8("a"), "b.md": utf8("b") })
        const cases = {
          overlapping: Archives.zip([one, ...overlapping]),
          large: Archives.zip([{ ...one, size: 4_000_000_000 }]),
          twice: Archives.zip([one, one]),
          miscounted: Archives.zip([one, { ...one, name: "b.md" }], 1),
          truncated: whole.subarray(0, whole.length - 30),
          text: utf8("no archive")
        }
        for (const [name, bytes] of Object.entries(cases)) {
          const root = `zip:${yield* given(`${name}.zip`, bytes)}`
          assert.strictEqual(reasonOf(yield* Effect.flip(seen({ root }))), "Damaged", name)
        }
        const tar = Archives.tar([{ name: "a.md", body: "a" }])
        const named = "name it with tar: instead of zip:"
        for (const [bytes, problem] of [
          [tar, `it is a tar archive; ${named}`],
          [gzipSync(tar), `it is packed with gzip; ${named}`],
          [utf8("BZh91AY"), "it is packed with bzip2; unpack it into a folder"]
        ] as const) {
          const error = yield* Effect.flip(seen({ root: `zip:${yield* given("lies.zip", bytes)}` }))
          assert.strictEqual(reasonOf(error), "Invalid")
          assert.include(String(error), problem)
        }
        assert.strictEqual(reasonOf(yield* Effect.flip(seen({ root: "zip:/nowhere/x.zip" }))), "Missing")
        assert.strictEqual(reasonOf(yield* Effect.flip(seen({ root: "zip:" }))), "Invalid")
      })
  )

  it.scoped("reads what tar writes, packed or not, with long names and names in any script", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const deep = `in/${"folder/".repeat(30)}deep.md`
      mkdirSync(join(made, "docs", deep, ".."), { recursive: true })
      writeFileSync(join(made, "docs", deep), "deep")
      writeFileSync(join(made, "docs/ü 中.md"), "wide")
      writeFileSync(join(made, "docs/long.md"), "line\n".repeat(60_000))
      for (const format of ["gnu", "pax", "ustar"]) {
        for (const [flag, name] of [
          ["-c", "docs.tar"],
          ["-cz", "docs.tar.gz"]
        ] as const) {
          execFileSync("tar", [`${flag}f`, join(made, name), `--format=${format}`, "-C", join(made, "docs"), "."])
          assert.sameDeepMembers(
            [...(yield* seen({ root: `tar:${join(made, name)}` }))],
            [
              [deep, "deep"],
              ["ü 中.md", "wide"],
              ["long.md", "line\n".repeat(60_000)]
            ],
            `${format} ${name}`
          )
        }
      }
    })
  )

  it.scoped(
    "leaves out links of a tar archive, refuses names that lead out of it, and archives that are not whole",
    () =>
      Effect.gen(function* () {
        const members: ReadonlyArray<Archives.TarMember> = [
          { name: "a.md", body: "a" },
          { name: "../out.md", body: "x" },
          { name: "/etc/absolute.md", body: "x" },
          { name: "link.md", type: "2", link: "/etc/passwd" },
          { name: "hard.md", type: "1", link: "a.md" },
          { name: Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x64]), body: "x" }
        ]
        const bytes = Archives.tar(members)
        for (const file of [yield* given("a.tar", bytes), yield* given("a.tgz", gzipSync(bytes))]) {
          assert.deepEqual(yield* seen({ root: `tar:${file}` }), [
            ["a.md", "a"],
            ["../out.md", "Name"],
            ["/etc/absolute.md", "Name"],
            ["f\uFFFD.md", "Name"]
          ])
        }
        const packed = gzipSync(bytes)
        const broken = Buffer.from(bytes)
        broken.write("9", 20)
        const cases = {
          endless: Archives.tar(members, false),
          cut: bytes.subarray(0, 900),
          packedCut: packed.subarray(0, packed.length - 12),
          checksum: broken,
          twice: Archives.tar([
            { name: "a.md", body: "a" },
            { name: "./a.md", body: "b" }
          ]),
          bomb: gzipSync(
            Buffer.concat([Buffer.alloc(0), Archives.tar([{ name: "a.md", body: Buffer.alloc(90_000_000) }])])
          ),
          bzip2: Buffer.from("BZh91AY"),
          zip: zipSync({ "a.md": utf8("a") })
        }
        for (const [name, given_] of Object.entries(cases)) {
          const root = `tar:${yield* given(`${name}.tar`, given_)}`
          const wanted = name === "bzip2" || name === "zip" ? "Invalid" : "Damaged"
          assert.strictEqual(reasonOf(yield* Effect.flip(seen({ root }))), wanted, name)
        }
      })
  )

  it.scoped(
    "reads no other version than the one that was listed, and unpacks a packed archive once for all reads",
    () =>
      Effect.gen(function* () {
        const names = Array.from({ length: 20 }, (_, index) => `${index}.md`)
        const bytes = Archives.tar(names.map((name) => ({ name, body: name })))
        const file = yield* given("a.tar.gz", gzipSync(bytes))
        const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("docsluice-tar-"))
        const before = temporary()
        yield* Effect.gen(function* () {
          const found = Chunk.toReadonlyArray(yield* Stream.runCollect(Archive.make({ root: `tar:${file}` }).files))
          const read = (at: number) => {
            const one = found[at]
            return one?._tag === "SourceFile" ? SourceFile.bytes(one) : Effect.dieMessage("no file")
          }
          assert.lengthOf(temporary(), before.length)
          const all = yield* Effect.all(
            names.map((_, at) => read(19 - at)),
            { concurrency: 4 }
          )
          assert.deepEqual(all.map(text), names.toReversed())
          assert.lengthOf(temporary(), before.length + 1)
          writeFileSync(`${file}.new`, gzipSync(Archives.tar([{ name: "0.md", body: "new" }])))
          renameSync(`${file}.new`, file)
          assert.strictEqual((yield* Effect.flip(read(0)))._tag, "FileChanged")
        }).pipe(Effect.scoped)
        assert.lengthOf(temporary(), before.length)
        assert.isAbove(readFileSync(file).length, 0)
      })
  )
})
