/** A further part of the server, behind the keys and limits of agents. */
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as Context from "effect/Context"
import type * as AgentRoutes from "./agentRoutes.ts"

/** The server that a part belongs to. */
export interface Host extends Pick<AgentRoutes.Options, "identify" | "refusal"> {
  /** True when calls need a key; otherwise any may be sent, and all callers are one. */
  readonly keyed: boolean
}

/** A part of the server at its own address. Used by `Server` where it is provided. */
export class Mounted extends Context.Tag("docsluice/server/Mounted")<
  Mounted,
  { readonly routes: (host: Host) => HttpRouter.HttpRouter }
>() {}
