import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { sha256 } from "../base/sha256.ts"
import type { Options, Target } from "./contract.ts"
import { Gate } from "./gate.ts"

interface Shared {
  readonly gate: Gate
  readonly scope: Scope.CloseableScope
  users: number
}

/** The gates of this process that are in use, by address and the hash of the key. */
const gates = new Map<string, Shared>()

const nameOf = ({ address, key }: Target): string =>
  `${address} ${key === undefined ? "" : sha256(Redacted.value(key))}`

/** The gate of a target: the one that is in use, or a new one. It ends with the scope of its last user. */
export const shared = (target: Target, options: Options): Effect.Effect<Gate, never, Scope.Scope> => {
  const name = nameOf(target)
  const acquired = Effect.map(Scope.make(), (scope) => {
    const entry = gates.get(name) ?? { gate: new Gate(target.address, scope), scope, users: 0 }
    entry.users += 1
    gates.set(name, entry)
    return entry
  })
  const released = (entry: Shared): Effect.Effect<void> =>
    Effect.suspend(() => {
      entry.users -= 1
      if (entry.users > 0) return Effect.void
      gates.delete(name)
      return Scope.close(entry.scope, Exit.void)
    })
  return Effect.acquireRelease(acquired, released).pipe(
    Effect.map(({ gate }) => gate),
    Effect.tap((gate) => gate.join(options))
  )
}

/** A gate that is shared with nobody. */
export const own = (options: Options): Effect.Effect<Gate, never, Scope.Scope> =>
  Effect.scopeWith((scope) => {
    const gate = new Gate("the service", scope)
    return Effect.as(gate.join(options), gate)
  })
