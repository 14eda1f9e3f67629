/** Debian's OpenSSH server in the foreground, over a folder of its own, with keys of its own; it logs what files it opens. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"

const program = "/usr/sbin/sshd"
const sftp = "/usr/lib/openssh/sftp-server"

/** What is not installed; null when all is. */
export const missing = (): string | null => (existsSync(program) && existsSync(sftp) ? null : `no ${program}`)

export interface Sshd {
  /** Address of the folder, such as `sftp://127.0.0.1:2222/tmp/…/files`. */
  readonly root: string
  readonly port: number
  /** Its folder on the disk. */
  readonly files: string
  /** Home of a user who has the key and knows the server. */
  readonly home: string
  /** File of the user's key, and of one that opens nothing. */
  readonly key: string
  readonly otherKey: string
  /** Line of the server's key in a list of known hosts. */
  readonly knownHost: string
  /** Gives the server another key of its own, once it is started again. */
  readonly changeKey: () => void
  readonly reads: () => number
  readonly listings: () => number
  /** Connections so far, and those that are open. */
  readonly connections: () => number
  readonly open: () => number
  /** Ends it together with its connections. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stands still, connections included, and goes on. */
  readonly freeze: () => void
  readonly thaw: () => void
}

const makeKey = (file: string, type = "ed25519"): string => {
  rmSync(file, { force: true })
  rmSync(`${file}.pub`, { force: true })
  execFileSync("ssh-keygen", ["-q", "-t", type, "-N", "", "-f", file])
  return file
}

const config = (folder: string, port: number): string => `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host
PidFile none
AuthorizedKeysFile ${folder}/authorized
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
LogLevel VERBOSE
Subsystem sftp ${sftp} -e -l INFO 2>>${folder}/log
`

/** Processes of the server: a connection is one or two of its own, which are no groups. */
const descendants = (pid: number): ReadonlyArray<number> => {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
  return own.concat(own.flatMap((child) => (existsSync(`/proc/${child}`) ? descendants(child) : [])))
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}

/** Starts it; ended and deleted with the scope. */
export const scoped: Effect.Effect<Sshd, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-sshd-"))
    const files = join(folder, "files")
    const home = join(folder, "home")
    mkdirSync(files)
    mkdirSync(join(home, ".ssh"), { recursive: true })
    // Where the server gives up its rights.
    if (userInfo().uid === 0) mkdirSync("/run/sshd", { recursive: true })
    const port = await freePort()
    makeKey(join(folder, "host"))
    const key = makeKey(join(home, ".ssh/id_ed25519"))
    const otherKey = makeKey(join(folder, "other"))
    writeFileSync(join(folder, "authorized"), readFileSync(`${key}.pub`))
    writeFileSync(join(folder, "config"), config(folder, port))
    const knownHost = `[127.0.0.1]:${port} ${readFileSync(join(folder, "host.pub"), "utf8")}`
    writeFileSync(join(home, ".ssh/known_hosts"), knownHost)
    let pid = 0
    const log = join(folder, "log")
    writeFileSync(log, "")
    let end = async (): Promise<void> => {}
    const start = async () => {
      const child = spawn(program, ["-D", "-e", "-f", join(folder, "config")], { stdio: ["ignore", "pipe", "pipe"] })
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      pid = child.pid ?? 0
      const text = logOf(child)
      end = async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        for (const one of [...descendants(pid), pid]) signal(one, "SIGKILL")
        await ended
      }
      await started("sshd", [child], text, () => text().includes("Server listening"))
    }
    await start()
    const count = (words: RegExp): number => readFileSync(log, "utf8").match(words)?.length ?? 0
    const all = (name: NodeJS.Signals) => {
      for (const one of [...descendants(pid), pid]) signal(one, name)
    }
    const sshd: Sshd = {
      root: `sftp://127.0.0.1:${port}${files}`,
      port,
      files,
      home,
      key,
      otherKey,
      knownHost,
      changeKey: () => void makeKey(join(folder, "host")),
      reads: () => count(/^open "/gmu),
      listings: () => count(/^opendir "/gmu),
      connections: () => count(/^session opened/gmu),
      open: () => descendants(pid).length,
      start,
      stop: () => end(),
      freeze: () => all("SIGSTOP"),
      thaw: () => all("SIGCONT")
    }
    return { sshd, folder }
  }),
  ({ folder, sshd }) =>
    Effect.promise(async () => {
      await sshd.stop()
      rmSync(folder, { recursive: true, force: true })
    })
).pipe(Effect.map(({ sshd }) => sshd))
