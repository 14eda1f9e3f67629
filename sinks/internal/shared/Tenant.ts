import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"

/** Names that every store takes as they are, in SQL, in paths and in JSON. */
const allowed = /^[\w.-]{1,64}$/u

/** The condition in SQL on the rows of a tenant, whose name was checked. */
export const equals = (tenant: string): string => `tenant = '${tenant}'`

/** The same after another condition; empty for a store without tenants. */
export const condition = (tenant: string | null): string => (tenant === null ? "" : ` AND ${equals(tenant)}`)

/** The problem of a store with tenants that is opened for none. */
export const needed = "it serves several tenants"

/** The problem of a store without tenants that is opened for one. */
export const lacking = (store: string): string =>
  `${store} was made without tenants; leave out the option \`tenant\`, or use another one; nothing was changed`

/** Fails as `Rejected` for a name that is not allowed. */
export const check = (sink: string, tenant: string | null): Effect.Effect<void, SinkError> =>
  tenant === null || allowed.test(tenant)
    ? Effect.void
    : new SinkError({
        sink,
        reason: "Rejected",
        problem: "`tenant` must have 1 to 64 characters: letters without accents, digits, _, . and -"
      })
