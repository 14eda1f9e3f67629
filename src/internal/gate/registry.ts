import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { sha256 } from "../base/sha256.ts"
import type { Options, Target } from "./contract.ts"
import { Gate } from "./gate.ts"

interface Shared {
  readonly name: string
  readonly gate: Gate
  readonly scope: Scope.CloseableScope
  users: number
}

/** The gates of this process that are in use, by address and the hash of the key. */
export class Gates extends Context.Reference<Gates>()("docsluice/internal/Gates", {
  defaultValue: () => new Map<string, Shared>()
}) {}

/** The gate that is in use, or a new one, with one more user. */
const entered = ({ address, key }: Target): Effect.Effect<Shared> =>
  Effect.flatMap(Gates, (gates) => {
    const name = `${address} ${key === undefined ? "" : sha256(Redacted.value(key))}`
    const used = (entry: Shared): Shared => {
      entry.users += 1
      gates.set(name, entry)
      return entry
    }
    const known = gates.get(name)
    if (known !== undefined) return Effect.succeed(used(known))
    return Effect.map(Scope.make(), (scope) =>
      // Another fiber may have made it meanwhile.
      used(gates.get(name) ?? { name, gate: new Gate(address, scope), scope, users: 0 })
    )
  })

const left = (entry: Shared): Effect.Effect<void> =>
  Effect.flatMap(Gates, (gates) => {
    entry.users -= 1
    if (entry.users > 0) return Effect.void
    gates.delete(entry.name)
    return Scope.close(entry.scope, Exit.void)
  })

/** The gate of a target: the one that is in use, or a new one. It ends with the scope of its last user. */
export const shared = (target: Target, options: Options): Effect.Effect<Gate, never, Scope.Scope> =>
  Effect.acquireRelease(entered(target), left).pipe(
    Effect.map(({ gate }) => gate),
    Effect.tap((gate) => gate.join(options))
  )

/** Runs one request of many with the gate of a target; the options are those of the first that uses it. */
export const using = <A, E, R>(
  target: Target,
  options: Options,
  request: (gate: Gate) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(entered(target), (entry) => {
      const { gate, scope, users } = entry
      const used = Effect.ensuring(restore(request(gate)), left(entry))
      return users === 1 ? Effect.zipRight(Scope.extend(gate.join(options), scope), used) : used
    })
  )

/** A gate that is shared with nobody. */
export const own = (options: Options): Effect.Effect<Gate, never, Scope.Scope> =>
  Effect.scopeWith((scope) => {
    const gate = new Gate("the service", scope)
    return Effect.as(gate.join(options), gate)
  })
