import { mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import { Effect } from "effect"
import { sha256 } from "../../src/internal/base/sha256.ts"
import * as Dovecot from "./dovecot.ts"
import * as Drift from "./drift.ts"
import * as ImapProxy from "./imapProxy.ts"

const user = "anna"

const made = Effect.gen(function* () {
  const server = yield* Dovecot.scoped
  const proxy = yield* ImapProxy.scoped("127.0.0.2", server.port)
  return { deliver: server.account(user).deliver, proxy, root: `imap://${user}@127.0.0.1:${proxy.port}` }
})

const folderOf = (path: string): string => (dirname(path) === "." ? "INBOX" : dirname(path))

/** Each document is attached to a mail, whose id is that of its base name: it is moved to another folder with its mail. */
const mailbox = Effect.map(made, ({ deliver, proxy, root }): Drift.Place => {
  const mails = new Map<string, { readonly file: string; readonly bytes: Uint8Array }>()
  const idOf = (path: string) => `<${sha256(basename(path))}@example.com>`
  const remove = (path: string) => {
    const mail = mails.get(path)
    if (mail !== undefined) rmSync(mail.file)
    mails.delete(path)
  }
  const write = (path: string, bytes: Uint8Array) => {
    remove(path)
    const headers = { Subject: "file", "Message-ID": idOf(path) }
    const mail = Dovecot.mixed(headers, Dovecot.attached(basename(path), bytes))
    mails.set(path, { bytes, file: deliver(folderOf(path), mail) })
  }
  const move = (from: string, to: string) => {
    const mail = mails.get(from)
    if (mail === undefined) return
    if (basename(from) !== basename(to)) {
      write(to, mail.bytes)
      return remove(from)
    }
    const place = deliver(folderOf(to), "")
    renameSync(mail.file, place)
    mails.delete(from)
    mails.set(to, { bytes: mail.bytes, file: place })
  }
  return {
    name: `${user}@127.0.0.1`,
    root: `${root}!/**/*.md`,
    env: { IMAP_PASSWORD: Dovecot.password },
    documentOf: (path) => `${folderOf(path)}/file-${sha256(idOf(path)).slice(0, 12)}.eml/${basename(path)}`,
    write: (path, bytes) => Effect.sync(() => write(path, bytes)),
    remove: (path) => Effect.sync(() => remove(path)),
    move: (from, to) => Effect.sync(() => move(from, to)),
    reads: () => ImapProxy.reads(proxy).length,
    listings: () => proxy.lines.filter((line) => line.includes(' LIST "" "*"')).length
  }
})

describe.skipIf(Dovecot.missing() !== null)("a mailbox", () => {
  it.scopedLive("is followed through runs, some of which are killed", () =>
    Effect.gen(function* () {
      const report = yield* Drift.check(mailbox, { mostListings: 2 })
      assert.isAtLeast(report.kills, 1, JSON.stringify(report))
    })
  )

  it.scopedLive("of 5,000 messages is listed without a body, and a second run over it takes two seconds", () =>
    Effect.gen(function* () {
      const { deliver, proxy, root } = yield* made
      for (let at = 0; at < 5000; at++) {
        const headers = { Subject: `Offer ${at} for pumps`, "Message-ID": `<${at}@example.com>` }
        const file = Dovecot.attached(`prices ${at}.md`, `# Prices ${at}\n`.repeat(20))
        const text = Dovecot.part({ "Content-Type": "text/plain" }, "The pump is ready.")
        deliver(
          ["INBOX", "Archive/2025", "Sent"][at % 3] ?? "",
          at % 5 === 0 ? Dovecot.mixed(headers, text, file) : Dovecot.message(headers, `The pump ${at} is ready.\n`)
        )
      }
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-imap-"))),
        (place) => Effect.sync(() => rmSync(place, { recursive: true, force: true }))
      )
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.env["IMAP_PASSWORD"] = Dovecot.password
        }),
        () =>
          Effect.sync(() => {
            delete process.env["IMAP_PASSWORD"]
          })
      )
      const docs = yield* Effect.acquireRelease(
        Effect.promise(() => Async.open({ to: `jsonl:${join(folder, "chunks.jsonl")}`, state: join(folder, "state") })),
        (opened) => Effect.promise(() => opened.close())
      )
      const ingest = Effect.promise(() => docs.ingest(root, { mode: "sync" }))
      assert.deepInclude({ ...(yield* ingest) }, { stored: 6000, failed: 0 })
      const read = ImapProxy.reads(proxy).length
      assert.strictEqual(read, 6000)
      const times: Array<number> = []
      for (let run = 0; run < 3; run++) {
        const began = process.cpuUsage()
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 6000, bytes: 0, removed: 0 })
        const { system, user } = process.cpuUsage(began)
        times.push((system + user) / 1e6)
      }
      assert.strictEqual(ImapProxy.reads(proxy).length, read)
      // Of the processor, since a machine that does other work takes longer.
      assert.isBelow(Math.min(...times), 2, String(times))
    })
  )
})
