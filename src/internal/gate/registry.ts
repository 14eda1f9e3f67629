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
const gates = new Map<string, Shared>()

const nameOf = ({ address, key }: Target): string =>
  `${address} ${key === undefined ? "" : sha256(Redacted.value(key))}`

const entered = (name: string): Shared | undefined => {
  const entry = gates.get(name)
  if (entry !== undefined) entry.users += 1
  return entry
}

/** A new gate, unless another fiber made it meanwhile. */
const made = (name: string, address: string): Effect.Effect<Shared> =>
  Effect.map(Scope.make(), (scope) => {
    const before = entered(name)
    if (before !== undefined) return before
    const entry = { name, gate: new Gate(address, scope), scope, users: 1 }
    gates.set(name, entry)
    return entry
  })

const left = (entry: Shared): Effect.Effect<void> =>
  Effect.suspend(() => {
    entry.users -= 1
    if (entry.users > 0) return Effect.void
    gates.delete(entry.name)
    return Scope.close(entry.scope, Exit.void)
  })

/** The gate of a target: the one that is in use, or a new one. It ends with the scope of its last user. */
export const shared = (target: Target, options: Options): Effect.Effect<Gate, never, Scope.Scope> => {
  const name = nameOf(target)
  const acquired = Effect.suspend(() => {
    const entry = entered(name)
    return entry === undefined ? made(name, target.address) : Effect.succeed(entry)
  })
  return Effect.acquireRelease(acquired, left).pipe(
    Effect.map(({ gate }) => gate),
    Effect.tap((gate) => gate.join(options))
  )
}

/** Runs one request of many with the gate of a target; the options are those of the first that uses it. */
export const using = <A, E, R>(
  target: Target,
  options: Options,
  request: (gate: Gate) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const name = nameOf(target)
  return Effect.uninterruptibleMask((restore) => {
    const used = (entry: Shared) => Effect.ensuring(restore(request(entry.gate)), left(entry))
    const entry = entered(name)
    if (entry !== undefined) return used(entry)
    return made(name, target.address).pipe(
      Effect.tap(({ gate, scope }) => Scope.extend(gate.join(options), scope)),
      Effect.flatMap(used)
    )
  })
}

/** A gate that is shared with nobody. */
export const own = (options: Options): Effect.Effect<Gate, never, Scope.Scope> =>
  Effect.scopeWith((scope) => {
    const gate = new Gate("the service", scope)
    return Effect.as(gate.join(options), gate)
  })
