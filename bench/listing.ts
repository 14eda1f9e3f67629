/**
 * A listing of many objects of a store, and runs over them: time, memory at two sizes, and the objects that a re-run reads. The store is a
 * double in a process of its own that makes pages of a thousand objects up, in S3's format.
 *
 *     npm run bench -- listing [--objects 1000000] [--documents 20000]
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

type Role = "store" | "list" | "ingest"

/** Result of one process. */
interface Measured {
  /** Objects listed, or documents stored. */
  readonly objects: number
  readonly unchanged: number
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakRssMb: number
}

const pageSize = 1000

const body = "# An object\n\nWith a line of text.\n"

/** Objects of a bucket named after their number. `changed`: one in so many has a new version. */
const page = (count: number, start: number, changed: number): string => {
  const end = Math.min(count, start + pageSize)
  const entries = Array.from({ length: end - start }, (_, index) => {
    const at = start + index
    const version = changed > 0 && at % changed === 0 ? "b" : "a"
    const name = `folder-${Math.floor(at / 100)}/object-${String(at).padStart(8, "0")}.md`
    return `<Contents><Key>${name}</Key><Size>${body.length}</Size><ETag>&quot;${version}${at}&quot;</ETag></Contents>`
  })
  const next = end < count ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${end}</NextContinuationToken>` : ""
  return `<?xml version="1.0"?><ListBucketResult>${entries.join("")}${next}</ListBucketResult>`
}

/** Serves buckets named after the number of their objects; `/control` sets the changed ones and gives the number of reads. */
const serve = (): void => {
  let reads = 0
  let changed = 0
  const server = createServer((asked, answer) => {
    const url = new URL(asked.url ?? "/", "http://store")
    if (url.pathname === "/control") {
      changed = Number(url.searchParams.get("changed") ?? 0)
      answer.end(String(reads))
      reads = 0
    } else if (url.searchParams.has("list-type")) {
      const count = Number(url.pathname.split("/")[1])
      answer.end(page(count, Number(url.searchParams.get("continuation-token") ?? 0), changed))
    } else {
      reads += 1
      answer.end(body)
    }
  })
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
}

const timed = async (work: () => Promise<{ readonly objects: number; readonly unchanged: number }>) => {
  const started = performance.now()
  const before = process.cpuUsage()
  const done = await work()
  const cpu = process.cpuUsage(before)
  const measured: Measured = {
    ...done,
    wallMs: performance.now() - started,
    cpuMs: (cpu.user + cpu.system) / 1000,
    peakRssMb: process.resourceUsage().maxRSS / 1024
  }
  process.send?.(measured)
}

const perform = async (role: "list" | "ingest"): Promise<void> => {
  const { ingest, list } = await import("./listingRun.ts")
  const where = {
    endpoint: process.env["BENCH_ENDPOINT"] ?? "",
    bucket: process.env["BENCH_BUCKET"] ?? "",
    folder: process.env["BENCH_FOLDER"] ?? ""
  }
  await timed(() => (role === "list" ? list(where) : ingest(where)))
}

const started = (role: Role, env: Readonly<Record<string, string>> = {}): ChildProcess =>
  fork(new URL(import.meta.url), [], {
    execArgv: ["--import=tsx"],
    env: { ...process.env, ...env, BENCH_ROLE: role }
  })

const isMeasured = (message: unknown): message is Measured =>
  typeof message === "object" && message !== null && "peakRssMb" in message

const run = (role: "list" | "ingest", env: Readonly<Record<string, string>>): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const child = started(role, env)
    child.on("message", (message) => {
      if (isMeasured(message)) resolve(message)
    })
    child.on("exit", (code) => reject(new Error(`${role} ended with ${code}`)))
  })

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the store ended with ${code}`)))
    child.once("message", (message) => {
      const port = typeof message === "object" && message !== null && "port" in message ? message.port : 0
      resolve(Number(port))
    })
  })

const shown = ({ cpuMs, objects, peakRssMb, unchanged, wallMs }: Measured) => ({
  objects,
  unchanged,
  wallMs: Math.round(wallMs),
  cpuMs: Math.round(cpuMs),
  peakRssMb: Math.round(peakRssMb)
})

const compare = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      objects: { type: "string", default: "1000000" },
      documents: { type: "string", default: "20000" }
    }
  })
  const [objects, documents] = [Number(values.objects), Number(values.documents)]
  const folder = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
  const store = started("store")
  try {
    const endpoint = `http://127.0.0.1:${await portOf(store)}`
    const control = async (changed: number) =>
      Number(await (await fetch(`${endpoint}/control?changed=${changed}`)).text())
    const of = (bucket: number) => ({ BENCH_ENDPOINT: endpoint, BENCH_BUCKET: String(bucket), BENCH_FOLDER: folder })
    const few = await run("list", of(objects / 10))
    const many = await run("list", of(objects))
    const first = await run("ingest", of(documents))
    const readFirst = await control(0)
    const again = await run("ingest", of(documents))
    const readAgain = await control(1000)
    // The versions are new, and the bytes are the same.
    const changed = await run("ingest", of(documents))
    const readChanged = await control(0)
    const growthMb = Math.round(many.peakRssMb - few.peakRssMb)
    const report = {
      bench: "listing",
      /** The same listing with a tenth of the objects, and with all. */
      listing: [shown(few), shown(many)],
      growthMb,
      first: { ...shown(first), reads: readFirst },
      unchanged: { ...shown(again), reads: readAgain },
      oneInAThousandChanged: { ...shown(changed), reads: readChanged },
      ok:
        many.objects === objects &&
        growthMb <= 60 &&
        again.unchanged === documents &&
        changed.unchanged === documents &&
        readAgain === 0 &&
        readChanged === documents / 1000,
      machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
    }
    console.log(JSON.stringify(report, null, 2))
    process.exitCode = report.ok ? 0 : 1
  } finally {
    store.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

switch (process.env["BENCH_ROLE"]) {
  case "store":
    serve()
    break
  case "list":
    await perform("list")
    break
  case "ingest":
    await perform("ingest")
    break
  default:
    await compare()
}
