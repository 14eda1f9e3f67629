/** A folder of a drive as a source, and the sign-in to its service; both load what they need when they are used. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type * as Source from "../../Source.ts"
import * as Limits from "../base/limits.ts"
import { loaded } from "../base/loaded.ts"
import * as ObjectRoot from "../objects/objectRoot.ts"
import type { OnAddress, OnCode } from "./prompt.ts"
import type { Provider, Service } from "./service.ts"
import type { Access } from "./tokens.ts"

const stores = loaded(() => import("./driveStore.ts"))
const tokens = loaded(() => import("./tokens.ts"))

/** How a user is let in, and what shows the code of a sign-in. */
export interface WithCode extends Access {
  /** Shows the address to open with any browser, and the code to enter there. */
  readonly onCode: OnCode
}

/** How a user is let in, and what shows the address of a sign-in. */
export interface WithBrowser extends Access {
  /** Shows the address to open with a browser of this machine. */
  readonly onAddress: OnAddress
}

/** A sign-in, which ends when the tokens are in their file. */
export type SignIn = Effect.Effect<void, Source.SourceUnavailable, HttpClient.HttpClient>

/** Options of a source over a drive. */
export interface Options extends ObjectRoot.Options, Access {
  /** Folder of remembered listings; default `docsluice/drive` in `XDG_CACHE_HOME` or `~/.cache`. */
  readonly cache?: string | undefined
}

/** What the files of a drive need as long as they are read. */
export type Files = Source.Source<Source.SourceUnavailable, HttpClient.HttpClient | Scope.Scope>

export type { Access }

/** A root whose address could be read. */
export interface Root {
  /** Name that it has without one of its own. */
  readonly name: string
  readonly address: string
  readonly service: Service
}

export const source = (options: Options, root: Either.Either<Root, string>): Files =>
  ObjectRoot.source(
    options,
    Either.map(root, ({ address, name, service }) => ({
      name,
      address,
      prefix: "",
      open: Effect.flatMap(stores, ({ open }) =>
        open(service, {
          address,
          access: options,
          cache: options.cache,
          maxBytes: options.maxBytes ?? Limits.maxUploadBytes
        })
      )
    }))
  )

export const signIn = (provider: Provider, options: WithCode | WithBrowser): SignIn =>
  Effect.flatMap(tokens, (module) => module.signIn(provider, options, options))
