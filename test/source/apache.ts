/** Debian's Apache with `mod_dav`, in the foreground, over a folder of its own; it counts what it is asked. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"
import { sent } from "./sent.ts"

const program = "/usr/sbin/apache2"
const modules = "/usr/lib/apache2/modules"

/** What is not installed; null when all is. */
export const missing = (): string | null => (existsSync(`${modules}/mod_dav.so`) ? null : `no mod_dav in ${modules}`)

export const user = "anna"
export const password = "secret: \u00FC"

export interface Apache {
  /** Address of the folder, such as `http://127.0.0.1:8080/dav/`, which asks for no password. */
  readonly open: string
  /** The same folder below another path, which asks for the password. */
  readonly guarded: string
  /** Its folder on the disk. */
  readonly files: string
  /** Requests since the last call: method, path and status. */
  readonly requests: () => ReadonlyArray<string>
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

const loaded = [
  "mpm_event",
  "authn_core",
  "authn_file",
  "authz_core",
  "authz_user",
  "auth_basic",
  "alias",
  "dir",
  "dav",
  "dav_fs"
]

const loading = (name: string): string => `LoadModule ${name}_module ${modules}/mod_${name}.so`

const guard = (folder: string): string => `
  AuthType Basic
  AuthName documents
  AuthBasicProvider file
  AuthUserFile ${folder}/users
  Require valid-user`

const config = (folder: string, port: number): string => `
ServerRoot ${folder}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
LogFormat "%m %U %>s" short
CustomLog ${folder}/access.log short
${loaded.map(loading).join("\n")}
User www-data
Group www-data
StartServers 1
DavLockDB ${folder}/lock
Alias /dav ${folder}/files
Alias /guarded ${folder}/files
<Directory ${folder}/files>
  Require all granted
  Options FollowSymLinks
</Directory>
<Location /dav>
  Dav On
</Location>
<Location /guarded>
  Dav On${guard(folder)}
</Location>
`

/** Starts it; ended and deleted with the scope. */
export const scoped: Effect.Effect<Apache, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "docsluice-apache-"))
    const files = join(folder, "files")
    mkdirSync(files)
    execFileSync("chmod", ["755", folder])
    const port = await freePort()
    execFileSync("htpasswd", ["-cbB", "-C", "4", join(folder, "users"), user, password], { stdio: "ignore" })
    writeFileSync(join(folder, "apache2.conf"), config(folder, port))
    const log = join(folder, "access.log")
    writeFileSync(log, "")
    const origin = `http://127.0.0.1:${port}`
    let end = async (): Promise<void> => {}
    const start = async () => {
      const child = spawn(program, ["-D", "FOREGROUND", "-f", join(folder, "apache2.conf")], {
        stdio: ["ignore", "pipe", "pipe"]
      })
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      end = async () => {
        if (child.kill("SIGTERM")) await ended
      }
      const ready = async () => (await sent("GET", origin, {}, "").catch(() => 0)) > 0
      await started("apache", [child], logOf(child), ready)
    }
    await start()
    const requests = () => {
      const lines = readFileSync(log, "utf8").split("\n")
      truncateSync(log)
      return lines.filter((line) => line.includes(" /dav/") || line.includes(" /guarded/"))
    }
    const apache = {
      open: `${origin}/dav/`,
      guarded: `${origin}/guarded/`,
      files,
      requests,
      start,
      stop: () => end()
    }
    return { apache, folder }
  }),
  ({ apache, folder }) =>
    Effect.promise(async () => {
      await apache.stop()
      rmSync(folder, { recursive: true, force: true })
    })
).pipe(Effect.map(({ apache }) => apache))
