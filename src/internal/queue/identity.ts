import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import { Ledger } from "../../Ledger.ts"
import { ofRun } from "../state/ledger/runLedger.ts"

/** Key under which `Queue` keeps its server. */
export const server: unique symbol = Symbol.for("docsluice/Queue/server")

/** Stands for the state of a ledger in memory, which the workers of this process alone have. */
const memory = `memory-${randomUUID()}`

/** Id of the state, by which coordinator and workers know that it is the same. */
export const stateOf = Effect.flatMap(Ledger, (ledger) => Effect.map(ofRun(ledger).state, (state) => state ?? memory))
