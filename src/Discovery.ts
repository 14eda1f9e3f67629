/**
 * Finds the files to parse below a root.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { canonicalJson } from "./internal/base/canonicalJson.ts"
import type { ContainerKind } from "./internal/base/containerKind.ts"
import * as Limits from "./internal/base/limits.ts"
import * as Message from "./internal/base/message.ts"
import { option, text } from "./internal/base/message.ts"
import { sha256 } from "./internal/base/sha256.ts"
import { unsent } from "./internal/base/wireFields.ts"
import { discover as discoverWith } from "./internal/discovery/discover.ts"
import type { Containers, Found, Unsupported, Unusable } from "./internal/discovery/foundFiles.ts"
import { disk } from "./internal/discovery/glob.ts"
import { namedFile } from "./internal/discovery/namedFile.ts"
import * as Scope from "./internal/discovery/paths.ts"
import * as Source from "./Source.ts"
import type { FileError, SourceFile } from "./SourceFile.ts"

export type { ContainerKind } from "./internal/base/containerKind.ts"

export type { Found, Unsupported, Unusable } from "./internal/discovery/foundFiles.ts"

export {
  type BackOff,
  type Batch,
  changes,
  passes,
  polling,
  pollingEvery,
  make as watch,
  WatchError,
  type Options as WatchOptions
} from "./internal/discovery/watch.ts"

/**
 * Discovery cannot start or go on: a wrong argument, or a root that cannot be read.
 *
 * @since 0.1.0
 * @category errors
 */
export class DiscoveryError extends Schema.TaggedError<DiscoveryError>("docsluice/DiscoveryError")("DiscoveryError", {
  /** `Io`: a fault of the walk itself. An unreadable folder is an {@link Unusable} and does not end the walk. */
  reason: Schema.Literal(
    "RootMissing",
    "RootNotAFolder",
    "RootUnreadable",
    "OutsideRoot",
    "Url",
    "NoMatch",
    "NotRead",
    "Io"
  ),
  /** The offending argument or root, or an extension (`NotRead`); several arguments are joined by a space. */
  argument: Schema.String,
  /** For `OutsideRoot`, a root that contains the argument; otherwise empty. */
  remedy: Schema.String,
  /** Of a root or folder that cannot be read, and for `NoMatch` where all arguments are names that do not exist. */
  cause: unsent
}) {
  override get message(): string {
    return Message.render(textOf(this))
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.worded(textOf(this)).parts
  }
}

const textOf = ({ argument, cause, reason, remedy }: DiscoveryError): Message.Message =>
  reason === "NoMatch" && cause !== undefined
    ? `${argument}: no such file or folder`
    : messages[reason](argument, remedy)

/** An address without credentials, query and fragment; a password may hold any character. */
const bare = (address: string): string => address.replace(/:\/\/.*@/su, "://").replace(/[?#].*$/su, "")

const messages: Record<DiscoveryError["reason"], (argument: string, remedy: string) => Message.Message> = {
  RootMissing: (root) => `${root}: the root is not there`,
  RootNotAFolder: (root) => `${root}: the root is not a folder; name its folder as root and the file as argument`,
  RootUnreadable: (root) => `${root}: the root cannot be read`,
  OutsideRoot: (argument, remedy) => text`${argument}: outside of the root; use ${option("root")} ${remedy}`,
  Url: (argument) =>
    `${bare(argument)}: an address; say what is there: sitemap:URL, list:URL, git:REPOSITORY, imaps://USER@HOST, s3://BUCKET or az://CONTAINER, or put it into a file for list:FILE`,
  NoMatch: (argument) => `${argument}: nothing matches`,
  NotRead: (extension) =>
    `types: nothing reads files of type .${extension}; give a reader of your own, or name the extension in lower case without the dot`,
  Io: (argument) => `${argument}: the folders could not be walked`
}

/**
 * Findings next to the files to parse: files of unsupported types, and files or folders that cannot be used.
 *
 * @since 0.1.0
 * @category models
 */
export type Problem = Unsupported | Unusable

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Folder that paths and document ids refer to. */
  readonly root: string
  /** First part of every document id; default the root's base name. */
  readonly name?: string | undefined
  /**
   * Files, folders (all below them) and globs (case ignored), relative to the root or absolute below it; default the root.
   * A name that exists is taken literally, whatever characters it has; `!glob` excludes.
   */
  readonly patterns?: ReadonlyArray<string> | undefined
  /** Files and folders, never globs. Without `patterns`, only these are taken. */
  readonly filesFrom?: ReadonlyArray<string> | undefined
  /** Globs, relative to the root, that are excluded with all below them; one without `/` applies in every folder. */
  readonly ignore?: ReadonlyArray<string> | undefined
  /** Paths excluded with all below them: the caller's own state and outputs. */
  readonly exclude?: ReadonlyArray<string> | undefined
  /**
   * Extensions, lower case, without the dot, to which the types are limited; default: those that the service takes and those of `Readers`.
   * A file of another type is {@link Unsupported}: it is left out, and not gone.
   */
  readonly types?: ReadonlyArray<string> | undefined
  /**
   * Kinds of files that are opened, so that the files in them are documents of their own: `zip` archives, the attachments of `mail` (`.eml`,
   * `.msg`), the messages of an `mbox`; those in files in such files too, four deep. The path of one goes through the file that holds it:
   * `mail.eml/report.pdf`. Messages are parsed to find their attachments at each discovery. Default none.
   */
  readonly expand?: ReadonlyArray<ContainerKind> | undefined
  /** Apply `.gitignore` files, nested ones and those up to the top of the working tree; default false. */
  readonly gitignore?: boolean | undefined
  /** Sort by path, in UTF-16 code units, which holds all files until the last is found. Default false: as found. */
  readonly ordered?: boolean | undefined
  /** Enter linked folders, each real one once, and take linked files; default false. Links named literally are always taken. */
  readonly followSymbolicLinks?: boolean | undefined
  /** Bytes above which a file is refused; default {@link Limits.maxUploadBytes}. */
  readonly maxBytes?: number | undefined
}

/** Loaded by the first discovery that opens files. */
const containersOf = (expand: ReadonlyArray<ContainerKind>): Effect.Effect<Containers> | undefined =>
  expand.length === 0
    ? undefined
    : Effect.map(
        Effect.promise(() => import("./internal/archive/expansion.ts")),
        ({ make }) => make(expand)
      )

/**
 * The files below a root, and what cannot be parsed there.
 *
 * Dot files and the content of `node_modules` are excluded unless they are asked for by name; `~$…` files always are. Each
 * path comes once. Costs one `stat` per file. Unless `ordered`, some ten thousand paths at most are held, whatever the
 * consumer does. Each run of the stream scans again.
 *
 * @example
 * import * as Discovery from "docsluice/Discovery"
 *
 * const files = Discovery.discover({ root: "docs", patterns: ["reports", "**\/*.pdf"], ignore: ["drafts"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const discover = (options: Options): Stream.Stream<Found, DiscoveryError> =>
  Stream.mapError(
    discoverWith({
      root: options.root,
      name: options.name,
      patterns: options.patterns ?? (options.filesFrom === undefined ? ["."] : []),
      names: options.filesFrom ?? [],
      ignore: options.ignore ?? [],
      exclude: options.exclude ?? [],
      gitignore: options.gitignore ?? false,
      ordered: options.ordered ?? false,
      followSymbolicLinks: options.followSymbolicLinks ?? false,
      maxBytes: options.maxBytes ?? Limits.maxUploadBytes,
      types: options.types,
      containers: containersOf(options.expand ?? []),
      disk
    }),
    (refusal) => new DiscoveryError(refusal)
  )

/**
 * The files of {@link discover} and their {@link scope}, as a run takes them.
 *
 * @example
 * import * as Discovery from "docsluice/Discovery"
 *
 * const documents = Discovery.folder({ root: "docs", ignore: ["drafts"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const folder = (options: Options): Source.Source<DiscoveryError> =>
  Source.within(scope(options), discover(options))

/**
 * The ledger scope of these options: root name, root path, a digest of the patterns, and the folders that they name. Reads nothing.
 * The digest does not depend on the folder's place or on what is excluded; of `filesFrom` only its presence counts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const scope = (options: Pick<Options, "root" | "name" | "patterns" | "filesFrom">): Source.ScopeRequest => {
  const path = Scope.absoluteRoot(options.root)
  const listed = options.filesFrom !== undefined
  const patterns = options.patterns ?? (listed ? [] : ["."])
  return {
    root: options.name ?? Scope.baseName(path),
    path,
    patterns: sha256(canonicalJson(Scope.spelling({ root: path, patterns, listed }))),
    parts: Scope.parts({ root: path, patterns, listed })
  }
}

/**
 * One file of this machine by its path, relative to the working directory or absolute. The root is its folder.
 *
 * @since 0.1.0
 * @category constructors
 */
export const file = (
  path: string,
  options: {
    /** Bytes above which the file is refused; default {@link Limits.maxUploadBytes}. */
    readonly maxBytes?: number | undefined
  } = {}
): Effect.Effect<SourceFile, FileError> => namedFile(path, options.maxBytes ?? Limits.maxUploadBytes)
