/** Where the files of a run come from: a folder of this machine, an object store, a list of the web, or an archive. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Discovery from "../Discovery.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import * as SourceTarget from "../internal/target/sourceTarget.ts"
import type * as Source from "../Source.ts"

/** Options of a discovery; `root` may be the address of an object store, a list or an archive. */
export type Options = SourceTarget.RootOptions

type Failure = Discovery.DiscoveryError | Source.SourceUnavailable

/** The files of a root with their scope. */
export type Origin = Source.Source<Failure, HttpClient.HttpClient | Scope.Scope>

/** True for a root in a folder, whose files can be looked for. */
export const isLocal = ({ root }: { readonly root: string }): boolean => !ObjectTarget.isAddress(root)

/** The files that the options ask for. */
export const make = (options: Options): Origin => SourceTarget.open(options)

/** Only these files of the root, whatever the patterns say. */
export const only = (
  { allowPrivate, endpoint, name, root, types }: Options,
  filesFrom: ReadonlyArray<string>
): Stream.Stream<Discovery.Found, Failure, HttpClient.HttpClient | Scope.Scope> =>
  make({ root, name, types, endpoint, allowPrivate, filesFrom, ordered: false }).files

/** Name of a root: the one given, or that of its folder or address. */
export const nameOf = (options: Pick<Options, "root" | "name" | "endpoint">): string => make(options).scope.root
