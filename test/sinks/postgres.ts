import { execFile, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"

/** A PostgreSQL server of one's own, with a folder of its own. */
export interface Postgres {
  /** As its superuser. */
  readonly url: string
  readonly port: number
  /** Ends it as a restart does, which cuts its connections. */
  readonly down: () => Promise<void>
  /** Starts it again at the same port, with all it held. */
  readonly up: () => Promise<void>
  /** Ends it, and deletes its folder. */
  readonly stop: () => Promise<void>
}

const installed = "/usr/lib/postgresql"

/** The folder of the newest server that has pgvector; null where there is none. */
const binaries = (): string | null => {
  const versions = existsSync(installed) ? readdirSync(installed).toSorted((a, b) => Number(b) - Number(a)) : []
  const version = versions.find(
    (version) =>
      existsSync(join(installed, version, "bin", "initdb")) &&
      existsSync(join("/usr/share/postgresql", version, "extension", "vector.control"))
  )
  return version === undefined ? null : join(installed, version, "bin")
}

/** The server does not run as root. */
const serverUser = (): { readonly uid: number; readonly gid: number } | null => {
  const uid = process.getuid?.() ?? 0
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? 0 }
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("postgres:"))
  const [, , user, group] = line?.split(":") ?? []
  return user === undefined || group === undefined ? null : { uid: Number(user), gid: Number(group) }
}

/** Why there can be no server here; null when there can. */
export const missing = (): string | null =>
  binaries() === null
    ? "no PostgreSQL with pgvector under /usr/lib/postgresql"
    : serverUser() === null
      ? "no user postgres to run the server as"
      : null

/** Runs the server until the function that it gives is called, or this process ends. */
const launch = async (
  parameters: ReadonlyArray<string>,
  user: { readonly uid: number; readonly gid: number },
  folder: string
): Promise<() => Promise<void>> => {
  const child = spawn("setpriv", [...parameters], { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
  const interrupt = () => void child.kill("SIGINT")
  process.once("exit", interrupt)
  const log = logOf(child)
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await started("postgres", [child], log, () => log().includes("ready to accept connections"))
  return async () => {
    interrupt()
    await ended
    process.off("exit", interrupt)
  }
}

/**
 * Starts a server for one file that restarts it, or for a whole run of tests; others take a database of `fixtures/servers.ts`. It ends
 * with this process at the latest; nothing that it writes is synchronised.
 */
export const start = async (): Promise<Postgres> => {
  const bin = binaries()
  const user = serverUser()
  if (bin === null || user === null) throw new Error(missing() ?? "")
  const folder = mkdtempSync(join(tmpdir(), "docsluice-postgres-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once("exit", remove)
  try {
    const passwordFile = join(folder, "password")
    const data = join(folder, "data")
    writeFileSync(passwordFile, "s3cret-pass\n")
    for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)
    const settings = ["--username=tester", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    await promisify(execFile)(join(bin, "initdb"), [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...settings], {
      ...user,
      cwd: folder
    })
    const port = await freePort()
    const options = [
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "max_connections=100",
      `unix_socket_directories=${folder}`
    ]
    const command = [join(bin, "postgres"), "-D", data, "-h", "127.0.0.1", "-p", String(port)]
    const parameters = ["--pdeathsig", "INT", ...command, ...options.flatMap((option) => ["-c", option])]
    let down = await launch(parameters, user, folder)
    return {
      url: `postgres://tester:s3cret-pass@127.0.0.1:${port}/postgres`,
      port,
      down: () => down(),
      up: async () => {
        down = await launch(parameters, user, folder)
      },
      stop: async () => {
        await down()
        remove()
        process.off("exit", remove)
      }
    }
  } catch (cause) {
    remove()
    throw cause
  }
}
