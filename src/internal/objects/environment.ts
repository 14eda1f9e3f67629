import { homedir } from "node:os"
import { join } from "node:path"

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Variables of this process. */
export const environment = (): Environment => process.env

/** A path in the folder of this package below that of a variable, such as `XDG_CACHE_HOME`, or below one of the home folder. */
export const inHome = (variable: string, otherwise: string, ...path: ReadonlyArray<string>): string =>
  join(environment()[variable] || join(homedir(), otherwise), "docsluice", ...path)
