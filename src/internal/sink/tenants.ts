/** The tenants of a store: the sink of each, for a query that chooses one. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import type { Definition, Service } from "./contract.ts"
import { SinkError } from "./sinkError.ts"

/** The sink of a tenant's part of a store, open until the scope closes. */
export type OfTenant = NonNullable<Service["ofTenant"]>

/** Time for which the sink of a tenant stays open after its last use. */
const idle: Duration.DurationInput = "1 minute"

/** The sinks of a definition's tenants, each made once and shared by those that use it at the same time; `own` is the definition's sink. */
export const make = (
  { id, ofTenant, tenant }: Pick<Definition<never>, "id" | "tenant" | "ofTenant">,
  own: () => Service
): Effect.Effect<OfTenant | undefined> =>
  Effect.gen(function* () {
    if (tenant !== undefined) {
      return (asked) =>
        asked === tenant
          ? Effect.succeed(own())
          : new SinkError({
              sink: id,
              reason: "Rejected",
              problem: `it is opened for the tenant ${tenant}, and was asked for another one; open the store without a tenant to choose one for each query`
            })
    }
    if (ofTenant === undefined) return undefined
    // A sink that acquires nothing needs no scope, and neither do those of its tenants.
    const scope = yield* Effect.serviceOption(Scope.Scope)
    const parts = yield* RcMap.make({ lookup: ofTenant, idleTimeToLive: idle }).pipe(
      Scope.extend(Option.isSome(scope) ? scope.value : yield* Scope.make())
    )
    return (asked) => RcMap.get(parts, asked)
  })

/** The sink of a tenant; fails as `Unsupported` for a sink whose stores have no tenants. */
export const part = (self: Service, tenant: string): Effect.Effect<Service, SinkError, Scope.Scope> =>
  self.ofTenant === undefined
    ? new SinkError({
        sink: self.id,
        reason: "Unsupported",
        ...Message.problem(text`it has no tenants; search without ${option("tenant")}`)
      })
    : self.ofTenant(tenant)
