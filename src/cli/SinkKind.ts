/** What a kind of sink makes of the text behind `KIND:`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ChunkSink, SinkError } from "../ChunkSink.ts"
import type { Kept } from "./Address.ts"
import type { Environment } from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

/** A sink that a run may open. */
export interface Target {
  /** Whole, with the credentials in it: never shown, never kept. */
  readonly spelling: string
  /** For a person: without credentials, a path as it was given. */
  readonly shown: string
  /** For the state: without credentials, a path absolute. */
  readonly kept: Kept
  /** The variable that the credential beside the address comes from; null where it can only be in the address. */
  readonly variable: string | null
  /** Paths that discovery leaves out, since a run never reads its own output. */
  readonly outputs: ReadonlyArray<string>
  /** What is there once the target is; null where only a server knows. */
  readonly place: string | null
  /** Without vectors nothing is kept, or nothing of it is found. */
  readonly needsVectors: boolean
  readonly open: Open
  /** As `open`, for mode append: what was written stays. */
  readonly openToAppend: Open
  /** Whether it can be searched. */
  readonly searches: boolean
}

export type Open = Effect.Effect<ChunkSink.Service, SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope>

export interface SinkKind {
  /** `KIND:TARGET` in words, for messages. */
  readonly form: string
  readonly searches: boolean
  /** `target` is never empty. */
  readonly read: (target: string, environment: Environment) => Effect.Effect<Target, UsageError, FileSystem.FileSystem>
  /** The spelling of a sink's id; null where the id does not say all. */
  readonly spellingOf: (id: string) => string | null
}

/** The text before and after the last `#`; a `#` in a folder's name is none of ours. */
export const named = (target: string): { readonly address: string; readonly name: string | undefined } => {
  const at = target.lastIndexOf("#")
  return at < 0 || /[/\\]/.test(target.slice(at))
    ? { address: target, name: undefined }
    : { address: target.slice(0, at), name: target.slice(at + 1) }
}

/** The target is not repeated: it may hold a password. */
export const refused = (kind: string, problem: string): UsageError =>
  new UsageError({ problem: `--to ${kind}: ${problem}` })
