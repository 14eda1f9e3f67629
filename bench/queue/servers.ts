import { createPostgresBackend, Queue, Worker } from "bullmq"

const count = 4000
const name = "servers"

const measured = async (
  queue: Pick<Queue, "addBulk" | "close" | "getJobCounts" | "obliterate" | "waitUntilReady">,
  hire: () => Pick<Worker, "close">
) => {
  await queue.waitUntilReady()
  const started = performance.now()
  for (let at = 0; at < count; at += 200) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- one message after another, as a coordinator does
    await queue.addBulk(
      Array.from({ length: 200 }, (_, index) => ({ name: "document", data: { path: `${at + index}.pdf`, size: 1000 } }))
    )
  }
  const added = performance.now()
  const worker = hire()
  for (;;) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the end
    const { completed = 0 } = await queue.getJobCounts("completed")
    if (completed === count) break
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the end
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const done = performance.now()
  await worker.close()
  await queue.obliterate({ force: true })
  await queue.close()
  const perSecond = (ms: number): number => Math.round((count * 1000) / ms)
  return { added: perSecond(added - started), finished: perSecond(done - added) }
}

const nothing = (): Promise<object> => Promise.resolve({ done: true })

/** Jobs a second that are added and, by one worker with 16 at a time, finished, without any work. Neither server writes to disk at once. */
export const compare = async (redis: string, postgres: string) => {
  const onRedis = { connection: { url: redis, maxRetriesPerRequest: null } }
  const onPostgres = { connection: { connectionString: postgres, migrate: true } }
  const first = await measured(
    new Queue(name, onRedis),
    () => new Worker(name, nothing, { ...onRedis, concurrency: 16 })
  )
  const second = await measured(
    new Queue(name, onPostgres, createPostgresBackend),
    () => new Worker(name, nothing, { ...onPostgres, concurrency: 16 }, createPostgresBackend)
  )
  return { redis: first, postgres: second, share: Number((second.finished / first.finished).toFixed(2)) }
}
