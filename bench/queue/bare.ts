import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Queue, Worker } from "bullmq"
import { Pool } from "pg"
import type { Task } from "./member.ts"

/** Queue of the bare loop. */
export const name = "bare"

/** Table of the bare loop: what the sink writes of a chunk. */
export const table =
  "CREATE TABLE IF NOT EXISTS bare (id text PRIMARY KEY, document_id text, source text, text text, embedding vector(384))"

interface Answer {
  readonly data: { readonly markdown: string }
}

const isAnswer = (value: unknown): value is Answer => typeof value === "object" && value !== null && "data" in value

const vector = `[${Array.from({ length: 384 }, (_, at) => Math.sin(at).toFixed(6)).join(",")}]`

/** One request and one statement a document, one document at a time. */
export const run = async (task: Task): Promise<void> => {
  const pool = new Pool({ connectionString: task.database, max: 2 })
  const connection = { url: task.queue, maxRetriesPerRequest: null }
  const worker = new Worker(
    name,
    async ({ data }: { readonly data: { readonly path: string } }) => {
      const form = new FormData()
      form.append("file", new Blob([await readFile(join(task.folder, data.path))]), data.path)
      const response = await fetch(`${task.service}/v2/parse`, { method: "POST", body: form })
      const answer: unknown = await response.json()
      if (!isAnswer(answer)) throw new Error("no answer")
      const chunks = answer.data.markdown.split("\n\n## ")
      const rows = chunks.flatMap((text, at) => [`${data.path}#${at}`, data.path, data.path, text, vector])
      const places = chunks.map(
        (_, at) => `($${5 * at + 1},$${5 * at + 2},$${5 * at + 3},$${5 * at + 4},$${5 * at + 5})`
      )
      await pool.query(`INSERT INTO bare VALUES ${places.join(",")} ON CONFLICT (id) DO NOTHING`, rows)
      return { chunks: chunks.length }
    },
    { connection, concurrency: task.concurrency }
  )
  await new Promise<void>((resolve) => process.once("SIGTERM", resolve))
  await worker.close()
  await pool.end()
}

/** Sends documents to the bare loop and waits for their end; milliseconds. */
export const time = async (address: string, paths: ReadonlyArray<string>): Promise<number> => {
  const queue = new Queue(name, { connection: { url: address, maxRetriesPerRequest: null } })
  const started = performance.now()
  await queue.addBulk(paths.map((path) => ({ name: "document", data: { path } })))
  for (;;) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the end
    const { completed = 0, failed = 0 } = await queue.getJobCounts("completed", "failed")
    if (completed + failed === paths.length) break
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the end
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const ms = performance.now() - started
  await queue.obliterate({ force: true })
  await queue.close()
  return ms
}
