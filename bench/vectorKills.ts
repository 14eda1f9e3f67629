/**
 * Ingests documents into pgvector while connections are ended on the server and processes are killed, checked by SQL; then an outage of
 * the embedder, and another embedder; counts what was lost, stored twice or paid twice.
 *
 *     npm run bench -- vectorKills [--files 2000] [--kills 5] [--changed 50] [--concurrency 16] [--delay 10]
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import * as VectorKilling from "../test/faults/vectorKilling.ts"
import * as Postgres from "./postgresServer.ts"

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "2000" },
    kills: { type: "string", default: "5" },
    changed: { type: "string", default: "50" },
    concurrency: { type: "string", default: "16" },
    delay: { type: "string", default: "10" }
  }
})

const numbers = {
  files: Number(values.files),
  kills: Number(values.kills),
  changed: Number(values.changed),
  concurrency: Number(values.concurrency),
  delay: Number(values.delay)
}

const server = await Postgres.start()
try {
  const report = await Effect.runPromise(Effect.scoped(VectorKilling.play(numbers, server.url)))
  const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  console.log(JSON.stringify({ bench: "vectorKills", ...report, machine }, null, 2))
  process.exitCode = report.ok ? 0 : 1
} finally {
  await server.stop()
}
