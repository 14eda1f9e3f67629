/** Hosts of the internet as a double answers for them, behind a proxy of this machine: for programs that know only the real addresses. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createSecure } from "node:https"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

/** Environment of a program that reaches the hosts through the proxy, stopped with the scope. `folder` gets a certificate. */
export const proxied = (
  folder: string,
  hosts: ReadonlyArray<string>,
  listener: Parameters<typeof createServer>[1]
): Effect.Effect<Readonly<Record<string, string>>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
      const names = hosts.map((host) => `DNS:${host}`).join(",")
      const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
      const files = ["-keyout", key, "-out", cert, "-subj", "/CN=doubles", "-addext", `subjectAltName=${names}`]
      const { status, stderr } = spawnSync("openssl", ["req", ...kind, ...files])
      if (status !== 0) throw new Error(String(stderr))
      const secure = createSecure({ key: readFileSync(key), cert: readFileSync(cert) }, listener)
      const proxy = createServer().on("connect", (_, socket) => {
        socket.on("error", () => socket.destroy())
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        secure.emit("connection", socket)
      })
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
      const address = proxy.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return { proxy, secure, env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: cert } }
    }),
    ({ proxy, secure }) =>
      Effect.sync(() => {
        secure.closeAllConnections()
        proxy.closeAllConnections()
        proxy.close()
      })
  ).pipe(Effect.map(({ env }) => env))
