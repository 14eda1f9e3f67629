/** Where the files of a run come from: a folder of this machine, or an object store. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Stream from "effect/Stream"
import * as Discovery from "../Discovery.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import type * as Source from "../Source.ts"

/** Options of a discovery; `root` may be the address of an object store. */
export interface Options extends Discovery.Options {
  /** Origin of an object store. */
  readonly endpoint?: string | undefined
}

type Failure = Discovery.DiscoveryError | Source.SourceUnavailable

/** The files of a root with their scope. */
export type Origin = Source.Source<Failure, HttpClient.HttpClient>

/** True for a root in a folder, whose files can be looked for. */
export const isLocal = ({ root }: { readonly root: string }): boolean => !ObjectTarget.isAddress(root)

/** The files that the options ask for. */
export const make = (options: Options): Origin => ObjectTarget.make(options) ?? Discovery.folder(options)

/** Only these files of the root, whatever the patterns say. */
export const only = (
  { endpoint, name, root, types }: Options,
  filesFrom: ReadonlyArray<string>
): Stream.Stream<Discovery.Found, Failure, HttpClient.HttpClient> =>
  make({ root, name, types, endpoint, filesFrom, ordered: false }).files

/** Name of a root: the one given, or that of its folder or address. */
export const nameOf = (options: Pick<Options, "root" | "name" | "endpoint">): string => make(options).scope.root
