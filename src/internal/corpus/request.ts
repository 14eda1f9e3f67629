import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as SourceTarget from "../target/sourceTarget.ts"

/**
 * The part of a run's request from which its scope is made again. The command line's requests have these members too, and others next to
 * them.
 */
const Request = Schema.Struct({
  /** Absolute path, or an address. */
  root: Schema.String,
  /** Null: the root's own name. */
  name: Schema.NullOr(Schema.String),
  paths: Schema.Array(Schema.String),
  /** Null unless a list of paths was given. */
  filesFrom: Schema.NullOr(Schema.Array(Schema.String)),
  /** Of an object store; missing for folders, and where the environment names it. */
  endpoint: Schema.optional(Schema.String),
  /** Of a list or a sitemap; missing where none was given. */
  allowPrivate: Schema.optional(Schema.Array(Schema.String))
})

const Own = Schema.parseJson(
  Schema.Struct({ ...Request.fields, version: Schema.Literal(1), program: Schema.Literal(true) })
)

const encodeOwn = Schema.encodeSync(Own)
const decodeAny = Schema.decodeEither(Schema.parseJson(Request))

/** The text that the ledger keeps with a run of a program over a root. */
export const encode = (options: SourceTarget.RootOptions): string => {
  const { allowPrivate, endpoint, filesFrom, name, patterns, root } = options
  return encodeOwn({
    version: 1,
    program: true,
    root: SourceTarget.absolute(root),
    name: name ?? null,
    paths: patterns ?? [],
    filesFrom: filesFrom ?? null,
    ...(endpoint !== undefined && { endpoint }),
    ...(allowPrivate !== undefined && { allowPrivate })
  })
}

/** True for a text of {@link encode}. */
export const isOwn = (text: string): boolean => Either.isRight(Schema.decodeEither(Own)(text))

/** The options of the run that a text was recorded with; null for a text of another kind. */
export const optionsOf = (text: string): SourceTarget.RootOptions | null => {
  const read = decodeAny(text)
  if (Either.isLeft(read)) return null
  const { allowPrivate, endpoint, filesFrom, name, paths, root } = read.right
  return {
    root,
    name: name ?? undefined,
    patterns: paths.length === 0 ? undefined : paths,
    filesFrom: filesFrom ?? undefined,
    endpoint,
    allowPrivate
  }
}
