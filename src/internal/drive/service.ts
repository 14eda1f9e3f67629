/** What a module of a service says of it; the rest is the same for all of them. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SourceUnavailable } from "../../Source.ts"

/** A file or a folder of a drive. */
export const Item = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** Id of the folder that holds it; empty for the top of a drive. */
  parent: Schema.String,
  /** Absent for a folder. */
  file: Schema.optional(
    Schema.Struct({
      /** Bytes; null where only an export shows how many they are. */
      size: Schema.NullOr(Schema.NonNegativeInt),
      /** Changes when the bytes change, and not with name or place. */
      version: Schema.String,
      /** Type as which it is exported; absent for a file that has bytes of its own. */
      as: Schema.optional(Schema.String)
    })
  )
})

export type Item = typeof Item.Type

/** What became of an item; null: it is gone, or is nothing that can be ingested. */
export interface Change {
  readonly id: string
  readonly item: Item | null
}

/** A page of a listing, or of what changed. The last one has no `next`. */
export interface Page {
  readonly changes: ReadonlyArray<Change>
  /** Address of the next page. */
  readonly next: string | null
  /** Address at which the next run asks what changed since; with the last page, unless {@link Start} has it. */
  readonly later: string | null
}

/** A folder with all below it. */
export interface Root {
  /** Id of the drive, different for each account. */
  readonly drive: string
  /** Id of the folder. */
  readonly folder: string
  /** False for a file, or what else stands at that place. */
  readonly isFolder: boolean
}

/** A listing of a whole drive. */
export interface Start {
  readonly first: string
  /** Address of what changes from now on, where the last page does not tell it. */
  readonly later: string | null
}

/** Asks for a JSON text of that form; fails with the status of any other answer. */
export type Get = <A, I>(address: string, form: Schema.Schema<A, I>) => Effect.Effect<A, SourceUnavailable>

/** Names of environment variables. */
export interface Variables {
  readonly clientId: string
  readonly clientSecret: string
  readonly refreshToken: string
}

/** Where and how a user grants access, after RFC 8628 and RFC 6749. */
export interface Provider {
  /** Name in messages, and in the file of tokens. */
  readonly title: string
  /** Endpoint that gives a code for a user. */
  readonly device: string
  readonly token: string
  /** Rights that a code grants, separated by spaces. */
  readonly scope: string
  /** Where a browser of this machine grants rights that no code does; absent where a code grants all that is needed. */
  readonly browser?: { readonly address: string; readonly scope: string }
  readonly variables: Variables
}

export interface Service {
  readonly provider: Provider
  /** Origin that gets the token; no other does. */
  readonly origin: string
  /** What a user without access has to be given, in words. */
  readonly needs: string
  /** True for the text of an answer with status 403 that asks to slow down. */
  readonly isThrottled?: (text: string) => boolean
  readonly root: (get: Get) => Effect.Effect<Root, SourceUnavailable>
  readonly start: (get: Get, root: Root) => Effect.Effect<Start, SourceUnavailable>
  readonly page: (get: Get, address: string) => Effect.Effect<Page, SourceUnavailable>
  /** The item as it is now. */
  readonly look: (get: Get, root: Root, id: string) => Effect.Effect<Change, SourceUnavailable>
  /** Address of the bytes of a file. */
  readonly content: (root: Root, item: Item) => string
}
