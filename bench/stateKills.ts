/**
 * Several processes over one folder with one state on PostgreSQL, killed with SIGKILL and stopped with SIGSTOP for longer than their lease;
 * then checks by SQL that each document is stored exactly once.
 *
 *     npm run bench -- stateKills [--kills 40] [--stops 10] [--documents 300] [--changes 20] [--processes 3] [--seed N]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { play } from "../test/ledger/killingTogether.ts"
import * as Postgres from "./postgresServer.ts"
import { uniform } from "./random.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "40" },
    stops: { type: "string", default: "10" },
    documents: { type: "string", default: "300" },
    changes: { type: "string", default: "20" },
    processes: { type: "string", default: "3" },
    concurrency: { type: "string", default: "4" },
    lease: { type: "string", default: "2000" },
    delay: { type: "string", default: "100" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) }
  }
})

const numbers = {
  kills: Number(values.kills),
  stops: Number(values.stops),
  documents: Number(values.documents),
  changes: Number(values.changes),
  processes: Number(values.processes),
  concurrency: Number(values.concurrency),
  lease: Number(values.lease),
  delay: Number(values.delay)
}

const directory = mkdtempSync(join(tmpdir(), "docsluice-state-kills-"))
const server = await Postgres.start()
try {
  const result = await play(directory, server.url, "shared", numbers, uniform(Number(values.seed)))
  const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  console.log(JSON.stringify({ bench: "stateKills", seed: Number(values.seed), numbers, ...result, machine }, null, 2))
  process.exitCode = result.ok ? 0 : 1
} finally {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
