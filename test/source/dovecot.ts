/** A mail server: Debian's Dovecot, in the foreground, with a folder of its own for its mailboxes. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"

const program = "/usr/sbin/dovecot"

/** Why it cannot be started here; null when it can. */
export const missing = (): string | null =>
  process.getuid?.() !== 0 ? "Dovecot is started by root" : existsSync(program) ? null : `no ${program}`

export const password = "tulip-37"

const secret = "key of the tests"

const encoded = (value: string): string => Buffer.from(value).toString("base64url")

/** A token of OAuth that the server takes for the user. */
export const token = (user: string): string => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: user, iat: now - 60, exp: now + 3600 }
  const body = `${encoded(JSON.stringify({ alg: "HS256", typ: "JWT" }))}.${encoded(JSON.stringify(claims))}`
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`
}

/** Addresses of which the second offers no TLS. */
const hosts = ["127.0.0.1", "127.0.0.2"] as const

/** The mailbox of a user. */
export interface Account {
  readonly user: string
  /** Address of a folder, without TLS; of the whole mailbox without one. */
  readonly root: (folder?: string) => string
  /** Puts a message into a folder, which is made. Gives the file of the message. */
  readonly deliver: (folder: string, message: string | Uint8Array) => string
  /** Makes the server forget all numbers of a folder, so that its messages get others. */
  readonly renumber: (folder: string) => void
}

export interface Dovecot {
  readonly port: number
  /** Port of TLS. */
  readonly secure: number
  /** File of its certificate, which is of `localhost`. */
  readonly certificate: string
  /** Every user is known. */
  readonly account: (user: string) => Account
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

const certified = (folder: string): string => {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")]
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  const kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate]
  execFileSync("openssl", ["req", ...kind, ...names], { stdio: "ignore" })
  return certificate
}

const configuration = (folder: string, port: number, secure: number): string => `
protocols = imap
listen = ${hosts.join(", ")}
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = /dev/stderr
default_vsz_limit = 1G
ssl = yes
ssl_cert = <${folder}/certificate.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain oauthbearer
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u:LAYOUT=fs:UTF-8
mailbox_list_index = no
first_valid_uid = 1
mail_max_userip_connections = 50
local ${hosts[1]} {
  ssl = no
}
passdb {
  driver = static
  args = password=${password}
  mechanisms = plain
}
passdb {
  driver = oauth2
  args = ${folder}/oauth2.conf
  mechanisms = oauthbearer
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${secure}
    ssl = yes
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`

const answers = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once("data", () => end(true))
    socket.once("error", () => end(false))
    socket.once("end", () => end(false))
  })

const ended = (child: ChildProcess | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })

/** Starts it; ended with the scope. */
export const scoped: Effect.Effect<Dovecot, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-dovecot-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const [port, secure] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  const certificate = certified(folder)
  const file = join(folder, "dovecot.conf")
  writeFileSync(file, configuration(folder, port, secure))
  writeFileSync(
    join(folder, "oauth2.conf"),
    `introspection_mode = local\nusername_attribute = sub\nlocal_validation_key_dict = fs:posix:prefix=${folder}/keys/\n`
  )
  mkdirSync(join(folder, "keys/default/HS256"), { recursive: true })
  writeFileSync(join(folder, "keys/default/HS256/default"), Buffer.from(secret).toString("base64"))
  execFileSync("chmod", ["755", folder])
  mkdirSync(join(folder, "mail"))
  const own = (path: string) => execFileSync("chown", ["-R", "mail:mail", path])
  own(join(folder, "mail"))

  let child: ChildProcess | undefined
  const start = Effect.promise(async () => {
    const made = spawn(program, ["-F", "-c", file], { stdio: ["ignore", "pipe", "pipe"] })
    child = made
    await started("dovecot", [made], logOf(made), () => answers(hosts[1], port))
  })
  const stop = Effect.promise(() => ended(child))
  yield* Effect.acquireRelease(start, () => stop)

  let count = 0
  const account = (user: string): Account => {
    const placeOf = (name: string): string => join(folder, "mail", user, name === "INBOX" ? "" : name)
    return {
      user,
      root: (name = "") => `imap://${user}@${hosts[1]}:${port}${name === "" ? "" : `/${name}`}`,
      deliver: (name, message) => {
        const place = placeOf(name)
        if (!existsSync(join(place, "cur"))) {
          for (const part of ["cur", "new", "tmp"]) mkdirSync(join(place, part), { recursive: true })
          own(join(folder, "mail", user))
        }
        count += 1
        const file = `${Math.floor(Date.now() / 1000)}.${String(count).padStart(8, "0")}.host:2,S`
        writeFileSync(join(place, "cur", file), message)
        return join(place, "cur", file)
      },
      renumber: (name) => {
        const place = placeOf(name)
        for (const one of readdirSync(place)) if (one.startsWith("dovecot")) rmSync(join(place, one))
      }
    }
  }
  return { port, secure, certificate, account, stop, start }
})

/** A message of headers and a body, with the ends of lines of mail. */
export const message = (headers: Readonly<Record<string, string>>, body: string): string =>
  `${Object.entries({ From: "a@example.com", ...headers })
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("")}\n${body}`.replaceAll("\n", "\r\n")

/** A part of a message with its headers. */
export const part = (headers: Readonly<Record<string, string>>, body: string): string =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("")}\n${body}\n`

/** A message of several parts. */
export const mixed = (headers: Readonly<Record<string, string>>, ...parts: ReadonlyArray<string>): string =>
  message(
    { "MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="next"', ...headers },
    `${parts.map((one) => `--next\n${one}`).join("")}--next--\n`
  )

/** A file as a part in base64. */
export const attached = (name: string, bytes: string | Uint8Array, type = "application/octet-stream"): string =>
  part(
    {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename*=utf-8''${encodeURIComponent(name)}`,
      "Content-Transfer-Encoding": "base64"
    },
    Buffer.from(bytes).toString("base64").replaceAll(/.{76}/gu, "$&\n")
  )
