/** What one writes in an afternoon: a loop with a ledger and a cache in SQLite. */
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import Libsql from "libsql"
import { Agent } from "undici"
import { chunkCharacters, type Contender, embedding } from "./task.ts"
import { markdownIn, upload } from "./upload.ts"

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")

/** Paragraphs, joined as long as they fit. */
const split = (markdown: string): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  let open = ""
  for (const line of markdown.split("\n")) {
    if (open !== "" && open.length + line.length > chunkCharacters) {
      chunks.push(open)
      open = ""
    }
    open += `${line}\n`
  }
  return open.trim() === "" ? chunks : [...chunks, open]
}

export const plainLoop: Contender = () =>
  Promise.resolve(async (task) => {
    const db = new Libsql(join(task.state, "plain.db"))
    db.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
    db.exec("CREATE TABLE IF NOT EXISTS ledger (sink TEXT, path TEXT, print TEXT, ids TEXT, PRIMARY KEY (sink, path))")
    db.exec("CREATE TABLE IF NOT EXISTS answer (hash TEXT PRIMARY KEY, text TEXT)")
    const known = db.prepare("SELECT print FROM ledger WHERE sink = ? AND path = ?")
    const commit = db.prepare("INSERT OR REPLACE INTO ledger VALUES (?, ?, ?, ?)")
    const cached = db.prepare("SELECT text FROM answer WHERE hash = ?")
    const keep = db.prepare("INSERT OR REPLACE INTO answer VALUES (?, ?)")
    const dispatcher = new Agent({ connections: task.concurrency })
    const store = { written: 0, write: (chunks: ReadonlyArray<object>) => (store.written += chunks.length) }
    const textOf = (row: unknown, name: string): string | undefined => {
      const value: unknown = typeof row === "object" && row !== null ? Reflect.get(row, name) : undefined
      return typeof value === "string" ? value : undefined
    }
    const answerOf = async (path: string, bytes: Uint8Array): Promise<string> => {
      const hash = sha256(bytes)
      const there = textOf(cached.get([hash]), "text")
      if (there !== undefined) return markdownIn(there)
      const { markdown, text } = await upload(dispatcher, task.base, path, bytes)
      keep.run([hash, text])
      return markdown
    }
    const one = async (path: string): Promise<void> => {
      const file = join(task.folder, path)
      const { ctimeMs, ino, mtimeMs, size } = await stat(file)
      const print = `${size} ${mtimeMs} ${ctimeMs} ${ino}`
      if (textOf(known.get([task.sink, path]), "print") === print) return
      const texts = split(await answerOf(path, await readFile(file)))
      const chunks = texts.map((text) => ({ id: sha256(`${path} ${text}`), path, text, vector: embedding(text) }))
      store.write(chunks)
      commit.run([task.sink, path, print, chunks.map(({ id }) => id).join()])
    }
    const paths = readdirSync(task.folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".html")
    )
    const queue = paths.values()
    const worker = async (): Promise<void> => {
      // oxlint-disable-next-line eslint/no-await-in-loop -- a worker does one file after the other
      for (const path of queue) await one(path)
    }
    await Promise.all(Array.from({ length: task.concurrency }, worker))
    await dispatcher.close()
    db.close()
    return { documents: paths.length, written: store.written }
  })
