/** A server in front of a mail server that passes on what is said, writes down the commands, and fails where it is told. */
import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** `silent`: nothing is passed on any more. A number: the connection breaks after that many bytes of the answer. */
export type Fault = "silent" | number

export interface ImapProxy {
  readonly port: number
  /** Lines of all clients so far. */
  readonly lines: Array<string>
  /** Connections so far, and those that are open. */
  connections: number
  open: number
  /** Asked for each line; undefined passes it on. */
  fault: (line: string) => Fault | undefined
  /** Changes what the server says, a part of it at a time. */
  rewrite: (answer: string) => string
}

/** Commands that ask for bytes of messages. */
export const reads = ({ lines }: ImapProxy): ReadonlyArray<string> =>
  lines.filter((line) => /FETCH.*(?:BODY|BINARY)(?:\.PEEK)?\[/u.test(line))

const forward = (proxy: ImapProxy, client: Socket, target: readonly [host: string, port: number]): void => {
  const server = connect(target[1], target[0])
  let left = Infinity
  let silent = false
  const end = () => {
    client.destroy()
    server.destroy()
  }
  proxy.connections += 1
  proxy.open += 1
  client.once("close", () => {
    proxy.open -= 1
    end()
  })
  for (const socket of [client, server]) socket.on("error", end)
  client.on("data", (part: Buffer) => {
    for (const line of part.toString("latin1").split("\r\n")) {
      if (line === "") continue
      proxy.lines.push(line)
      const fault = proxy.fault(line)
      if (fault === "silent") silent = true
      else if (fault !== undefined) left = fault
    }
    if (!silent) server.write(part)
  })
  server.on("data", (said: Buffer) => {
    if (silent) return
    const part = Buffer.from(proxy.rewrite(said.toString("latin1")), "latin1")
    client.write(part.subarray(0, Math.max(0, left)))
    left -= part.length
    if (left < 0) client.end(end)
  })
  server.once("close", end)
}

/** In front of a server at this host and port. */
export const scoped = (host: string, port: number): Effect.Effect<ImapProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const clients = new Set<Socket>()
        const made = {
          port: 0,
          lines: new Array<string>(),
          connections: 0,
          open: 0,
          fault: (): Fault | undefined => undefined,
          rewrite: (answer: string) => answer
        }
        const proxy: ImapProxy = made
        const server = createServer((client) => {
          clients.add(client)
          forward(proxy, client, [host, port])
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        const address = server.address()
        made.port = typeof address === "object" && address !== null ? address.port : 0
        return { proxy, server, clients }
      }),
      ({ clients, server }) =>
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              for (const client of clients) client.destroy()
              server.close(() => resolve())
            })
        )
    ),
    ({ proxy }) => proxy
  )
