/** A kind of sink: reads the text after `KIND:`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ChunkSink, SinkError } from "../../ChunkSink.ts"
import { OptionError } from "../base/optionError.ts"
import type { Kept } from "./address.ts"
import type { Environment } from "./secret.ts"

/** A sink that a run may open. */
export interface Target {
  /** The spelling with its credentials: never shown, never stored. */
  readonly spelling: string
  /** Form for messages: without credentials, a path as it was given. */
  readonly shown: string
  /** Form for the state: without credentials, with an absolute path. */
  readonly kept: Kept
  /** Environment variable of a credential outside the address; null where it can only be in the address. */
  readonly variable: string | null
  /** Paths that discovery leaves out, since a run never reads its own output. */
  readonly outputs: ReadonlyArray<string>
  /** Path that exists once the target does; null where only a server knows. */
  readonly place: string | null
  /** True if chunks without vectors cannot be stored, or cannot be found. */
  readonly needsVectors: boolean
  readonly open: Open
  /** As `open`, for mode append: existing data stays. */
  readonly openToAppend: Open
  /** True if it can be searched. */
  readonly searches: boolean
}

export type Open = Effect.Effect<ChunkSink.Service, SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope>

/** Opens a sink whose module is loaded only then. */
export const opening = <M>(load: () => Promise<M>, make: (module: M) => Open): Open =>
  Effect.flatMap(Effect.promise(load), make)

export interface SinkKind {
  /** Form of `KIND:TARGET` for messages. */
  readonly form: string
  readonly searches: boolean
  /** Reads a target, which is never empty. */
  readonly read: (target: string, environment: Environment) => Effect.Effect<Target, OptionError, FileSystem.FileSystem>
  /** Spelling of a sink by its id; null where the id does not determine it. */
  readonly spellingOf: (id: string) => string | null
}

/** The text before and after the last `#`; a `#` in the name of a folder is not a separator. */
export const named = (target: string): { readonly address: string; readonly name: string | undefined } => {
  const at = target.lastIndexOf("#")
  return at < 0 || /[/\\]/.test(target.slice(at))
    ? { address: target, name: undefined }
    : { address: target.slice(0, at), name: target.slice(at + 1) }
}

/** The target without `?tenant=NAME` at its end, and that name. */
export const withTenant = (target: string): { readonly address: string; readonly tenant: string | undefined } => {
  const [, address = target, tenant] = /^(.*)\?tenant=([^?&#]*)$/su.exec(target) ?? []
  return { address, tenant }
}

/** Spelling of a tenant after an address. */
export const tenantOf = (tenant: string | undefined): string => (tenant === undefined ? "" : `?tenant=${tenant}`)

/** Error that does not repeat the target: it may hold a password. */
export const refused = (kind: string, problem: string): OptionError =>
  new OptionError({ option: "to", part: kind, problem })
