import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Discovery from "docsluice/Discovery"
import * as Parser from "docsluice/Parser"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { zipSync } from "fflate"
import { collect, files, name, tree } from "./fixtures/discovered.ts"
import { ids, msg } from "./fixtures/outlook.ts"

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const all = ["zip", "mail", "mbox"] as const

const found = (options: Discovery.Options) => collect(Discovery.discover({ ordered: true, expand: all, ...options }))

const names = (options: Discovery.Options) => Effect.map(found(options), (items) => items.map(name))

/** Texts of the files by their paths. */
const texts = (options: Discovery.Options) =>
  Effect.flatMap(found(options), (items) =>
    Effect.map(
      Effect.forEach(files(items), (file) =>
        Effect.map(SourceFile.bytes(file), (bytes) => [file.path, new TextDecoder().decode(bytes)] as const)
      ),
      (pairs) => Object.fromEntries(pairs)
    )
  )

const put = (root: string, path: string, content: Uint8Array | string) =>
  Effect.sync(() => writeFileSync(join(root, path), content))

interface Part {
  readonly type: string
  readonly name: string
  readonly content: Uint8Array
}

const mail = (subject: string, body: string, parts: ReadonlyArray<Part> = []): string =>
  [
    `Subject: ${subject}`,
    "From: a@example.org",
    `Message-ID: <${subject.replaceAll(" ", "")}@example.org>`,
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    body,
    ...parts.flatMap((part) => [
      "--b",
      `Content-Type: ${part.type}`,
      `Content-Disposition: attachment; filename="${part.name}"`,
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(part.content).toString("base64")
    ]),
    "--b--",
    ""
  ].join("\n")

const attached = (name: string, text: string): Part => ({ type: "text/markdown", name, content: utf8(text) })

const mailbox = (...messages: ReadonlyArray<string>): string =>
  messages.map((message) => `From a@example.org Thu Jan  1 10:00:00 2026\n${message}\n\n`).join("")

describe("files that hold files", () => {
  it.scoped("are opened only where it is asked for", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.md": "a" })
      yield* put(root, "b.zip", zipSync({ "in/c.md": utf8("c") }))
      yield* put(root, "d.eml", mail("D", "d", [attached("e.md", "e")]))
      yield* put(root, "f.mbox", mailbox(mail("F", "f")))
      const closed = yield* names({ root, expand: [] })
      assert.deepEqual(closed, ["a.md", "b.zip?", "d.eml", "f.mbox?"])
      assert.deepEqual(yield* names({ root, expand: ["mail"] }), ["a.md", "b.zip?", "d.eml", "d.eml/e.md", "f.mbox?"])
      const opened = yield* names({ root })
      assert.deepEqual(opened.slice(0, 4), ["a.md", "b.zip/in/c.md", "d.eml", "d.eml/e.md"])
      assert.match(opened[4] ?? "", /^f\.mbox\/F-[0-9a-f]{12}\.eml$/u)
      assert.deepEqual(yield* names({ root, types: ["md"] }), [
        "a.md",
        "b.zip/in/c.md",
        "d.eml?",
        "d.eml/e.md",
        `${opened[4]}?`
      ]) // prettier-ignore
    })
  )

  it.scoped("are archives, with what is in them, in place and however they lie in each other", () =>
    Effect.gen(function* () {
      const root = yield* tree({})
      const inner = zipSync({ "deep.md": utf8("deep"), "m.eml": utf8(mail("M", "m", [attached("n.md", "n")])) })
      yield* put(
        root,
        "a.zip",
        zipSync({ "one.md": utf8("one"), "x.bin": utf8("x"), "inner.zip": [inner, { level: 0 }] })
      )
      assert.deepEqual(yield* names({ root }), [
        "a.zip/inner.zip/deep.md",
        "a.zip/inner.zip/m.eml",
        "a.zip/inner.zip/m.eml/n.md",
        "a.zip/one.md",
        "a.zip/x.bin?"
      ])
      const read = yield* texts({ root })
      assert.strictEqual(read["a.zip/inner.zip/deep.md"], "deep")
      assert.strictEqual(read["a.zip/inner.zip/m.eml/n.md"], "n")
      assert.strictEqual(
        files(yield* found({ root }))[0]?.documentId,
        `${root.slice(root.lastIndexOf("/") + 1)}/a.zip/inner.zip/deep.md`
      )
    })
  )

  it.scoped("are messages with their attachments, also of Outlook, whatever these are called", () =>
    Effect.gen(function* () {
      const root = yield* tree({})
      const odd = [attached("../../up.md", "up"), attached("same.md", "one"), attached("same.md", "two")]
      yield* put(root, "a.eml", mail("A", "a", [...odd, { type: "application/pdf", name: "", content: utf8("%PDF-") }]))
      const inner = {
        values: [
          [ids.subject, "Inner: one"],
          [ids.senderSmtp, "zoe@example.org"],
          [ids.body, "Räin."]
        ] as const,
        attachments: [{ values: [[ids.longFile, "ü.md"], [ids.data, utf8("in it")]] as const }] // prettier-ignore
      }
      yield* put(root, "b.msg", msg({ values: [[ids.body, "See."]], attachments: [{ values: [], message: inner }] }))
      assert.deepEqual(yield* names({ root }), [
        "a.eml",
        "a.eml/_.._up.md",
        "a.eml/attachment 4.pdf",
        "a.eml/same (2).md",
        "a.eml/same.md",
        "b.msg",
        "b.msg/Inner: one.eml",
        "b.msg/Inner: one.eml/ü.md"
      ])
      const read = yield* texts({ root })
      assert.strictEqual(read["a.eml/same (2).md"], "two")
      assert.strictEqual(read["b.msg/Inner: one.eml/ü.md"], "in it")
      const message = files(yield* found({ root })).find(({ path }) => path === "b.msg/Inner: one.eml")
      assert(message !== undefined)
      const document = yield* Parser.texts().parse(message, {})
      assert.match(document.markdown, /^# Inner: one\s+From: <zoe@example\.org>\s+Räin\.\s+Attachments:/u)
    })
  )

  it.scoped("are mailboxes, whose messages are named by subject and id wherever they stand", () =>
    Effect.gen(function* () {
      const root = yield* tree({})
      const first = mail("=?utf-8?Q?R=C3=A4in/snow?=", "From here on it rained.\n\nFrom the north came 3 storms.")
      const second = mail("Second", "two")
      yield* put(root, "a.mbox", mailbox(first, second, second, `Subject: none\n\n${"long ".repeat(50_000)}`))
      const before = yield* texts({ root })
      const paths = Object.keys(before)
      assert.deepEqual(paths.map((path) => path.replace(/-[0-9a-f]{12}/u, "")), [
        "a.mbox/Räin_snow.eml", "a.mbox/Second.eml", "a.mbox/none.eml"
      ]) // prettier-ignore
      assert.strictEqual(before[paths[0] ?? ""]?.trim(), first.trim())
      assert.include(before[paths[2] ?? ""], "long ".repeat(50_000))
      yield* put(root, "a.mbox", mailbox(mail("New", "new"), second).replaceAll("\n", "\r\n"))
      assert.include(Object.keys(yield* texts({ root })), paths[1])
    })
  )

  it.scoped("are found by the name of what is in them, and a name of nothing is a finding", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "b.md": "b" })
      yield* put(root, "a.zip", zipSync({ "in/c.md": utf8("c"), "in/d.md": utf8("d"), "e.md": utf8("e") }))
      assert.deepEqual(yield* names({ root, filesFrom: ["a.zip/in/c.md", "a.zip/gone.md"] }), [
        "a.zip/gone.md!FileUnreadable",
        "a.zip/in/c.md"
      ])
      assert.deepEqual(yield* names({ root, patterns: ["a.zip/in"] }), ["a.zip/in/c.md", "a.zip/in/d.md"])
    })
  )

  it.scoped("that cannot be listed say so, and what they held is not gone", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.zip": "none", "b.mbox": "Dear all,\n\nnone", "c.mbox": "", "d.md": "d" })
      yield* put(root, "bomb.zip", zipSync({ "zeros.md": new Uint8Array(90_000_000) }, { level: 9 }))
      const zip = zipSync({ "../up.md": utf8("up"), "/etc/x.md": utf8("x"), "fine.md": utf8("fine") })
      yield* put(root, "names.zip", zip)
      const items = yield* found({ root })
      const folders = items.filter((item) => item._tag === "Unusable" && item.folder)
      assert.deepEqual(folders.map(({ path }) => path), ["a.zip", "b.mbox", "bomb.zip"]) // prettier-ignore
      assert.deepEqual(items.filter(({ path }) => path.startsWith("names.zip")).map(name), [
        "names.zip/../up.md!FileUnreadable",
        "names.zip//etc/x.md!FileUnreadable",
        "names.zip/fine.md"
      ])
      const bomb = folders.find(({ path }) => path === "bomb.zip")
      assert(bomb?._tag === "Unusable")
      assert.match(bomb.error.message, /200 times/u)
    })
  )

  it.scoped("that lie deeper than four in each other are left closed, and say so", () =>
    Effect.gen(function* () {
      const root = yield* tree({})
      let bytes: Uint8Array = zipSync({ "x.md": utf8("x") })
      for (let depth = 0; depth < 5; depth++) bytes = zipSync({ "i.zip": bytes, [`${depth}.md`]: utf8("y") })
      yield* put(root, "a.zip", bytes)
      const items = yield* names({ root })
      assert.include(items, "a.zip/i.zip/i.zip/i.zip/1.md")
      assert.include(items, "a.zip/i.zip/i.zip/i.zip/i.zip!FileUnreadable")
      assert.lengthOf(items, 5)
    })
  )

  it.scoped("that change after they were found give no mixture", () =>
    Effect.gen(function* () {
      const root = yield* tree({})
      yield* put(root, "a.eml", mail("A", "a", [attached("b.md", "one")]))
      yield* put(root, "c.mbox", mailbox(mail("C", "c")))
      const items = files(yield* found({ root }))
      yield* put(root, "a.eml", mail("A", "a", [attached("b.md", "two")]))
      yield* put(root, "c.mbox", mailbox(mail("D", "d is longer")))
      for (const file of items.filter(({ path }) => path.includes("/"))) {
        const read = yield* Effect.either(SourceFile.bytes(file))
        // What was found is read only while it is still held.
        if (read._tag === "Right") assert.strictEqual(new TextDecoder().decode(read.right), "one")
        else assert.strictEqual(read.left._tag, "FileChanged", file.path)
      }
    })
  )

  it.scoped("are streamed: a mailbox of 300 MB is listed in little memory", () =>
    Effect.gen(function* () {
      const root = yield* tree({})
      const body = "It rained.\n".repeat(100_000)
      const one = (at: number): string => mailbox(mail(`Message ${at}`, body))
      yield* Effect.sync(() => {
        for (let at = 0; at < 280; at++) writeFileSync(join(root, "a.mbox"), `${one(at)}\n`, { flag: "a" })
      })
      global.gc?.()
      const before = process.memoryUsage().rss
      let most = 0
      const count = yield* Stream.runFold(Discovery.discover({ root, expand: ["mbox"] }), 0, (sum) => {
        most = Math.max(most, process.memoryUsage().rss - before)
        return sum + 1
      })
      assert.strictEqual(count, 280)
      assert.isBelow(most / 1_048_576, 150)
    })
  )
})

describe("a run over files that hold files", () => {
  const ingest = (folder: string) =>
    Effect.promise(async () => {
      const docs = await Async.open({ to: `jsonl:${join(folder, "chunks.jsonl")}`, state: join(folder, "state") })
      try {
        return await docs.ingest({ root: join(folder, "docs"), expand: all }, { mode: "sync", allowRemovals: true })
      } finally {
        await docs.close()
      }
    })

  const stored = (folder: string): ReadonlyArray<string> => [
    ...new Set(
      readFileSync(join(folder, "chunks.jsonl"), "utf8")
        .trim()
        .split("\n")
        .flatMap((line) => /"documentId":"([^"]*)"/u.exec(line)?.[1] ?? [])
    )
  ]

  it.scopedLive("stores each with a citation through the file, and follows what changes in it", () =>
    Effect.gen(function* () {
      const folder = yield* tree({ "docs/a.md": "# A\n\nwords of a" })
      const docs = join(folder, "docs")
      yield* put(docs, "b.zip", zipSync({ "c.md": utf8("# C\n\nwords of c"), "d.md": utf8("# D\n\nwords of d") }))
      yield* put(docs, "e.eml", mail("E", "words of e", [attached("f.md", "words of f")]))
      yield* put(docs, "g.mbox", mailbox(mail("G", "words of g"), mail("H", "words of h")))
      assert.deepInclude(yield* ingest(folder), { stored: 7, failed: 0 })
      const paths = stored(folder)
      for (const path of ["docs/b.zip/c.md", "docs/e.eml", "docs/e.eml/f.md"]) assert.include(paths, path)
      assert.deepInclude(yield* ingest(folder), { stored: 0, unchanged: 7 })
      yield* put(docs, "b.zip", zipSync({ "c.md": utf8("# C\n\nwords of c"), "i.md": utf8("# I\n\nwords of i") }))
      yield* put(docs, "e.eml", mail("E", "words of e", [attached("f.md", "other words of f")]))
      yield* put(docs, "g.mbox", mailbox(mail("H", "words of h")))
      const changed = yield* ingest(folder)
      assert.deepInclude(changed, { stored: 3, unchanged: 3, failed: 0 })
      const after = stored(folder)
      assert.include(after, "docs/b.zip/i.md")
      assert.notInclude(after, "docs/b.zip/d.md")
      assert.lengthOf(after, 6)
      rmSync(join(docs, "b.zip"))
      yield* ingest(folder)
      assert.lengthOf(stored(folder), 4)
    })
  )
})
