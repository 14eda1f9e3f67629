/** A server that speaks S3's interface: Debian's Swift with its `s3api`, four processes and a cache, in a folder of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { AwsV4Signer } from "aws4fetch"
import { Effect, type Scope } from "effect"
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

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

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

const ring = (folder: string, name: string, port: number): void => {
  const builder = join(folder, `${name}.builder`)
  execFileSync("swift-ring-builder", [builder, "create", "4", "1", "0"])
  execFileSync("swift-ring-builder", [builder, "add", `r1z1-127.0.0.1:${port}/sda`, "1"])
  execFileSync("swift-ring-builder", [builder, "rebalance"])
}

const started = async (
  folder: string
): Promise<{ readonly folder: string; readonly port: number; readonly children: ReadonlyArray<ChildProcess> }> => {
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
  for (const [name, own] of [
    ["account", account],
    ["container", container],
    ["object", object]
  ] as const) {
    ring(folder, name, own)
    writeFileSync(
      join(folder, `${name}-server.conf`),
      `${common(folder, own)}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`
    )
  }
  writeFileSync(join(folder, "proxy-server.conf"), proxyConfig(folder, port, cache))
  const run = (program: string, ...given: ReadonlyArray<string>) =>
    spawn(program, given, { stdio: "ignore", env: { ...process.env, SWIFT_DIR: folder } })
  const children = [
    run("memcached", "-u", "root", "-l", "127.0.0.1", "-p", String(cache), "-m", "16"),
    ...["account", "container", "object", "proxy"].map((name) =>
      run(`swift-${name}-server`, join(folder, `${name}-server.conf`))
    )
  ]
  return { folder, port, children }
}

const answers = async (endpoint: string): Promise<void> => {
  const end = performance.now() + 55_000
  while (performance.now() < end) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the server
    const bucket = await signed(endpoint, "PUT", "/ready").catch(() => 0)
    // oxlint-disable-next-line eslint/no-await-in-loop -- its processes start one after the other
    const object = bucket === 0 ? 0 : await signed(endpoint, "PUT", "/ready/a", "a").catch(() => 0)
    if (object === 200) return
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the server
    await sleep(100)
  }
  throw new Error("swift did not start")
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
  Effect.flatMap(({ port }) =>
    Effect.promise(async () => {
      const endpoint = `http://127.0.0.1:${port}`
      await answers(endpoint)
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
