import { randomUUID } from "node:crypto"
import * as os from "node:os"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Ledger } from "../../Ledger.ts"
import { ofRun } from "../state/ledger/runLedger.ts"

/** Key under which `Queue` keeps its server. */
export const server: unique symbol = Symbol.for("docsluice/Queue/server")

/** Stands for the state of a ledger in memory, which the workers of this process alone have. */
const memory = `memory-${randomUUID()}`

/** Id of the state, by which coordinator and workers know that it is the same. */
export const stateOf = Effect.flatMap(Ledger, (ledger) => Effect.map(ofRun(ledger).state, (state) => state ?? memory))

/** This process among all that use a queue. */
export class Self extends Context.Reference<Self>()("docsluice/internal/queue/Self", {
  defaultValue: () => ({ name: `${os.hostname()}:${process.pid}`, hasEnded })
}) {}

/** True when the process of that name was one of this machine, and has ended. */
const hasEnded = (name: string): boolean => {
  const [host, pid] = name.split(":")
  if (host !== os.hostname() || pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "EPERM")
  }
}
