/** A server that speaks S3's interface: Debian's Swift with its `s3api`, four processes and a cache, in a folder of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AwsV4Signer } from "aws4fetch"
import { Effect, type Scope } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started as running } from "../fixtures/started.ts"
import { sent } from "./sent.ts"

export interface Swift {
  /** Origin, such as `http://127.0.0.1:8080`. */
  readonly endpoint: string
  readonly put: (path: string, body?: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
}

export const accessKeyId = "test:tester"
export const secretAccessKey = "testing"

/** Objects on a page of a listing, few enough that a test has several. */
export const pageSize = 4

const programs = [
  "swift-proxy-server",
  "swift-account-server",
  "swift-container-server",
  "swift-object-server",
  "memcached"
]

/** The programs that are not installed; null when all are. */
export const missing = (): string | null => {
  const absent = programs.filter((name) => !existsSync(`/usr/bin/${name}`))
  return absent.length === 0 ? null : `no ${absent.join(", ")} in /usr/bin`
}

const filters = [
  "catch_errors",
  "gatekeeper",
  "listing_formats",
  "cache",
  "s3api",
  "tempauth",
  "copy",
  "bulk",
  "slo",
  "dlo",
  "symlink",
  "versioned_writes"
]

const settings: Readonly<Record<string, string>> = {
  s3api: `s3_acl = false\nlocation = us-east-1\nmax_bucket_listing = ${pageSize}`,
  tempauth: "user_test_tester = testing .admin"
}

const common = (folder: string, port: number): string =>
  `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nswift_dir = ${folder}\ndevices = ${folder}/devices\nmount_check = false\nuser = root\nworkers = 0\n`

const proxyConfig = (folder: string, port: number, cache: number): string =>
  [
    common(folder, port),
    `[pipeline:main]\npipeline = ${filters.join(" ")} proxy-server`,
    "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true",
    ...filters.map((name) =>
      name === "cache"
        ? `[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${cache}`
        : `[filter:${name}]\nuse = egg:swift#${name}\n${settings[name] ?? ""}`
    )
  ].join("\n")

/** Its three rings, made by one process where `swift-ring-builder` would be nine. */
const rings = `
import sys
from swift.common.ring import RingBuilder
for name, port in (given.split("=") for given in sys.argv[1:]):
    builder = RingBuilder(4, 1, 0)
    place = {"region": 1, "zone": 1, "device": "sda", "weight": 1.0, "meta": "", "ip": "127.0.0.1", "port": int(port)}
    builder.add_dev({**place, "replication_ip": "127.0.0.1", "replication_port": int(port)})
    builder.rebalance()
    builder.get_ring().save(name + ".ring.gz")
`

const started = async (
  folder: string
): Promise<{
  readonly folder: string
  readonly port: number
  readonly children: ReadonlyArray<ChildProcess>
  readonly log: () => string
}> => {
  mkdirSync(join(folder, "devices/sda"), { recursive: true })
  writeFileSync(
    join(folder, "swift.conf"),
    "[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n"
  )
  const [account, container, object, port, cache] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort()
  ])
  const servers = [
    ["account", account],
    ["container", container],
    ["object", object]
  ] as const
  execFileSync("/usr/bin/python3", ["-c", rings, ...servers.map((pair) => pair.join("="))], { cwd: folder })
  for (const [name, own] of servers) {
    writeFileSync(
      join(folder, `${name}-server.conf`),
      `${common(folder, own)}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`
    )
  }
  writeFileSync(join(folder, "proxy-server.conf"), proxyConfig(folder, port, cache))
  const run = (program: string, ...given: ReadonlyArray<string>) =>
    spawn(program, given, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, SWIFT_DIR: folder } })
  const children = [
    run("memcached", "-u", "root", "-l", "127.0.0.1", "-p", String(cache), "-m", "16"),
    ...["account", "container", "object", "proxy"].map((name) =>
      run(`swift-${name}-server`, join(folder, `${name}-server.conf`))
    )
  ]
  const logs = children.map(logOf)
  return { folder, port, children, log: () => logs.map((log) => log()).join("") }
}

/** Its processes start one after the other: an object needs them all. */
const takesObjects = async (endpoint: string): Promise<boolean> => {
  const bucket = await signed(endpoint, "PUT", "/ready").catch(() => 0)
  return bucket !== 0 && (await signed(endpoint, "PUT", "/ready/a", "a").catch(() => 0)) === 200
}

const signed = async (endpoint: string, method: string, path: string, body?: string): Promise<number> => {
  const url = `${endpoint}${path}`
  const signer = new AwsV4Signer({
    method,
    url,
    body: body ?? null,
    accessKeyId,
    secretAccessKey,
    service: "s3",
    region: "us-east-1"
  })
  const request = await signer.sign()
  return sent(method, request.url, Object.fromEntries(request.headers.entries()), body)
}

/** Starts it; ended and deleted with the scope, even when it never answers. Keys of paths are in the encoding of addresses. */
export const scoped: Effect.Effect<Swift, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => started(mkdtempSync(join(tmpdir(), "docsluice-swift-")))),
  ({ children, folder }) =>
    Effect.promise(async () => {
      await Promise.all(
        children.map(async (child) => {
          const ended = new Promise((resolve) => child.once("exit", resolve))
          if (child.kill("SIGKILL")) await ended
        })
      )
      rmSync(folder, { recursive: true, force: true })
    })
).pipe(
  Effect.flatMap(({ children, log, port }) =>
    Effect.promise(async () => {
      const endpoint = `http://127.0.0.1:${port}`
      await running("swift", children, log, () => takesObjects(endpoint))
      const sure = async (method: string, path: string, body?: string) => {
        const first = await signed(endpoint, method, path, body)
        // A server under load may miss its own time limits.
        const status = first === 503 ? await signed(endpoint, method, path, body) : first
        if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
      }
      return {
        endpoint,
        put: (path: string, body?: string) => sure("PUT", path, body),
        remove: (path: string) => sure("DELETE", path)
      }
    })
  )
)
