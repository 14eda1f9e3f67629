/**
 * The file of a server's keys: JSON, with hashes instead of keys.
 *
 * ```json
 * {
 *   "version": 1,
 *   "audit": "audit.jsonl",
 *   "keys": [
 *     { "name": "search", "hash": "sha256:SALT:DIGEST", "permissions": ["parse", "summary"], "rate": "600/min",
 *       "concurrency": 4, "credits": 10000, "zeroDataRetention": "required" }
 *   ]
 * }
 * ```
 *
 * Members of a key are those of `ApiKey`; `audit` is the path of an audit log, relative to the file. Unknown members are refused.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FileLock from "../../FileLock.ts"
import * as rules from "../base/rules.ts"
import * as ApiKey from "./apiKey.ts"

/**
 * Content of the file.
 *
 * @since 0.1.0
 * @category models
 */
export class KeyFile extends Schema.Class<KeyFile>("docsluice/service/KeyFile")({
  version: Schema.Literal(1),
  /** Path of the audit log, relative to the file; absent: none is written. */
  audit: Schema.optional(Schema.NonEmptyString),
  /** Their names are unique. */
  keys: Schema.Array(ApiKey.ApiKey)
}) {}

/**
 * The file cannot be used, or not be written.
 *
 * @since 0.1.0
 * @category errors
 */
export class KeyFileError extends Schema.TaggedError<KeyFileError>("docsluice/service/KeyFileError")("KeyFileError", {
  file: Schema.String,
  /** Name of the key, or its place, such as `keys[2]`; absent when the fault is not in a key. */
  entry: Schema.optional(Schema.String),
  /** Member with the fault, such as `keys[2].rate`; absent when the fault is in no member. */
  field: Schema.optional(Schema.String),
  /** The fault and its remedy, in one line; never a key or a hash. */
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.entry === undefined ? "" : `${this.entry}: `}${this.problem}`
  }
}

const matching = (bound: string, test: (text: string) => boolean): rules.Rule =>
  rules.when(bound, (value) => typeof value === "string" && test(value))

/** Does not show the value, which may be a key. */
const hash: rules.Rule = (value, field, issues) => {
  if (Schema.is(ApiKey.KeyHash)(value)) return
  const bound = "a hash that `docsluice serve keys add` wrote"
  issues.push({ field, value: undefined, bound, message: `${field} is not a hash; expected ${bound}` })
}

const key = rules.struct({
  what: "a key",
  required: {
    name: matching("1 to 64 letters, digits, dots, dashes and underscores", Schema.is(ApiKey.Name)),
    hash
  },
  optional: {
    permissions: rules.arrayOf(rules.oneOf(ApiKey.Permission.literals), "an array of permissions"),
    rate: matching("a rate such as 10/s or 600/min", ApiKey.isRate),
    concurrency: rules.integer(1, 1_000_000),
    credits: rules.integer(0, Number.MAX_SAFE_INTEGER),
    zeroDataRetention: rules.oneOf(ApiKey.ZeroDataRetention.literals)
  }
})

const rule = rules.struct({
  what: "an object",
  required: {
    version: rules.when("1", (value) => value === 1),
    keys: rules.arrayOf(key, "an array of keys")
  },
  optional: { audit: matching("the path of a file", (text) => text.trim() !== "") }
})

/** Name of the key at a place, where it can be told. */
const nameAt = (content: unknown, place: string): string => {
  const index = Number(/^keys\[(\d+)\]$/.exec(place)?.[1])
  const keys: unknown = rules.isRecord(content) ? content["keys"] : undefined
  const entry: unknown = Array.isArray(keys) ? keys[index] : undefined
  const name: unknown = rules.isRecord(entry) ? entry["name"] : undefined
  return Schema.is(ApiKey.Name)(name) ? `${place} (${name})` : place
}

const faultOf = (file: string, content: unknown): KeyFileError | undefined => {
  const [issue] = rules.check(rule, content)
  if (issue !== undefined) {
    const place = /^keys\[\d+\]/.exec(issue.field)?.[0]
    return new KeyFileError({
      file,
      ...(place !== undefined && { entry: nameAt(content, place) }),
      ...(issue.field !== "" && { field: issue.field }),
      problem: issue.field === "" ? "the file is not an object with version and keys" : issue.message
    })
  }
  return undefined
}

const duplicate = (file: string, { keys }: KeyFile): KeyFileError | undefined => {
  const at = keys.findIndex(({ name }, index) => keys.findIndex((other) => other.name === name) < index)
  const twice = keys[at]
  return twice === undefined
    ? undefined
    : new KeyFileError({
        file,
        entry: `keys[${at}] (${twice.name})`,
        field: `keys[${at}].name`,
        problem: "the name is taken by another key; rename one of them"
      })
}

const decodeJson = Schema.decodeEither(Schema.parseJson())

/**
 * Reads the text of a file; `file` is its path for errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parse = (file: string, text: string): Either.Either<KeyFile, KeyFileError> =>
  Either.gen(function* () {
    const content = yield* Either.mapLeft(
      decodeJson(text),
      () => new KeyFileError({ file, problem: "the file is not valid JSON; mend it, or begin with an empty one" })
    )
    const fault = faultOf(file, content)
    if (fault !== undefined) return yield* Either.left(fault)
    const decoded = yield* Either.mapLeft(
      Schema.decodeUnknownEither(KeyFile)(content),
      ({ message }) => new KeyFileError({ file, problem: message })
    )
    const twice = duplicate(file, decoded)
    return twice === undefined ? decoded : yield* Either.left(twice)
  })

const cannot = (file: string, what: string) => (cause: PlatformError) =>
  new KeyFileError({
    file,
    problem: `${what} (${cause._tag === "SystemError" ? cause.reason : "BadArgument"}); check path and permissions`
  })

/**
 * Reads the file. The path of `audit` is absolute in the result.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read: (file: string) => Effect.Effect<KeyFile, KeyFileError, FileSystem.FileSystem | Path.Path> =
  Effect.fnUntraced(function* (file) {
    const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
    const text = yield* Effect.mapError(fs.readFileString(file), cannot(file, "the file cannot be read"))
    const { audit, keys } = yield* parse(file, text)
    return new KeyFile({
      version: 1,
      keys,
      ...(audit !== undefined && { audit: path.resolve(path.dirname(file), audit) })
    })
  })

const locked = (file: string) =>
  Effect.mapError(
    FileLock.acquire(`${file}.lock`),
    (error) => new KeyFileError({ file, problem: `the file cannot be locked: ${error.problem}; try again` })
  )

const present = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(file).pipe(
    Effect.asSome,
    Effect.catchIf(
      (cause) => cause._tag === "SystemError" && cause.reason === "NotFound",
      () => Effect.succeedNone
    ),
    Effect.mapError(cannot(file, "the file cannot be read"))
  )
  return yield* Option.match(text, {
    onNone: () => Effect.succeed(new KeyFile({ version: 1, keys: [] })),
    onSome: (text) => parse(file, text)
  })
})

/** Replaces the file, which is its owner's alone afterwards; no reader sees a part of it. */
const replace = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const aside = `${file}.new`
  yield* Effect.gen(function* () {
    yield* fs.remove(aside, { force: true })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* fs.open(aside, { flag: "wx", mode: 0o600 })
        yield* handle.writeAll(new TextEncoder().encode(text))
        yield* handle.sync
      })
    )
    yield* fs.rename(aside, file)
  }).pipe(
    Effect.onError(() => Effect.ignore(fs.remove(aside, { force: true }))),
    Effect.mapError(cannot(file, "the file cannot be written"))
  )
})

/**
 * Adds a key to the file, which is created when missing (mode 0600). Fails when the name is taken. The file is replaced as a whole and
 * locked meanwhile; a symbolic link stays one.
 *
 * @since 0.1.0
 * @category combinators
 */
export const add: (file: string, key: ApiKey.ApiKey) => Effect.Effect<void, KeyFileError, FileSystem.FileSystem> =
  Effect.fnUntraced(function* (file, key) {
    const fs = yield* FileSystem.FileSystem
    const real = yield* Effect.orElseSucceed(fs.realPath(file), () => file)
    yield* locked(real)
    const found = yield* present(real)
    if (found.keys.some(({ name }) => name === key.name)) {
      return yield* new KeyFileError({
        file,
        entry: key.name,
        field: "name",
        problem: "there is a key of this name; remove it from the file first, or choose another name"
      })
    }
    const encoded = Schema.encodeSync(KeyFile)(new KeyFile({ ...found, keys: [...found.keys, key] }))
    return yield* replace(real, `${JSON.stringify(encoded, null, 2)}\n`)
  }, Effect.scoped)
