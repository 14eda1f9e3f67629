/** All commands with their flags, as shells complete them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What may follow a flag or a command: names of files, names of folders, words, or a text that cannot be completed. */
export type Values = "files" | "folders" | "text" | ReadonlyArray<string>

export interface CompletedFlag {
  /** Without dashes. */
  readonly name: string
  /** In a few words, in one line. */
  readonly meaning: string
  /** Null for a switch. */
  readonly values: Values | null
}

export interface CompletedCommand {
  readonly name: string
  readonly meaning: string
  readonly flags: ReadonlyArray<CompletedFlag>
  readonly operands: Values
}

export interface Completed {
  readonly commands: ReadonlyArray<CompletedCommand>
  /** Flags that every command takes. */
  readonly everywhere: ReadonlyArray<CompletedFlag>
}

/** The commands, loaded when they are asked for; provided by the program, since commands do not import each other. */
export class Catalogue extends Context.Tag("docsluice/cli/Catalogue")<Catalogue, Effect.Effect<Completed>>() {}
