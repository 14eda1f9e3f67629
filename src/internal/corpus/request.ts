import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Discovery from "../../Discovery.ts"
import type { ScopeRequest } from "../../Source.ts"
import { absoluteRoot } from "../discovery/paths.ts"

/**
 * The part of a run's request from which its scope is made again. The command line's requests have these members too, and others next to
 * them.
 */
const Request = Schema.Struct({
  /** Absolute path. */
  root: Schema.String,
  /** Null: the root's base name. */
  name: Schema.NullOr(Schema.String),
  paths: Schema.Array(Schema.String),
  /** Null unless a list of paths was given. */
  filesFrom: Schema.NullOr(Schema.Array(Schema.String))
})

const Own = Schema.parseJson(
  Schema.Struct({ ...Request.fields, version: Schema.Literal(1), program: Schema.Literal(true) })
)

const encodeOwn = Schema.encodeSync(Own)
const decodeAny = Schema.decodeEither(Schema.parseJson(Request))

/** The text that the ledger keeps with a run of a program over a folder. */
export const encode = ({ filesFrom, name, patterns, root }: Discovery.Options): string =>
  encodeOwn({
    version: 1,
    program: true,
    root: absoluteRoot(root),
    name: name ?? null,
    paths: patterns ?? [],
    filesFrom: filesFrom ?? null
  })

/** True for a text of {@link encode}. */
export const isOwn = (text: string): boolean => Either.isRight(Schema.decodeEither(Own)(text))

/** The scope of the run that a text was recorded with; null for a text of another kind. */
export const scopeOf = (text: string): ScopeRequest | null => {
  const read = decodeAny(text)
  if (Either.isLeft(read)) return null
  const { filesFrom, name, paths, root } = read.right
  return Discovery.scope({
    root,
    name: name ?? undefined,
    patterns: paths.length === 0 ? undefined : paths,
    filesFrom: filesFrom ?? undefined
  })
}
