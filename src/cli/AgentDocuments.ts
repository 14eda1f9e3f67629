/** `agent run --over PATH`: documents that are parsed here, to be given to an agent directly. */
import { dirname, resolve, sep } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as AutoChunker from "../AutoChunker.ts"
import * as Discovery from "../Discovery.ts"
import type { ParsedDocument } from "../ParsedDocument.ts"
import * as Parser from "../Parser.ts"
import type { Client } from "../service/Client.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const within = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)

/** The folder before the first part of a path that may be a pattern. */
const fixed = (path: string): string => {
  const at = path.search(/[*?[\]{}!()]/u)
  return dirname(at < 0 ? path : `${path.slice(0, at)}x`)
}

/** The working directory, or the folder that all paths have in common where one is outside of it. */
const rootOf = (paths: ReadonlyArray<string>): string => {
  const here = resolve(".")
  const all = paths.map((path) => resolve(path))
  if (all.every((path) => within(here, path))) return here
  const folders = all.map(fixed)
  let root = folders[0] ?? here
  while (!folders.every((folder) => within(root, folder))) root = dirname(root)
  return root
}

const parsers = 4

/**
 * Parses the files below the paths; each may be a file, a folder or a pattern. A file that cannot be parsed is left out, with a note
 * and exit status 1; fails when none is left.
 */
export const parse = (
  paths: ReadonlyArray<string>,
  exclude: ReadonlyArray<string>
): Effect.Effect<
  ReadonlyArray<ParsedDocument>,
  UsageError | Discovery.DiscoveryError | InvalidOptions,
  Client | ExitStatus.ExitStatus | Terminal
> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const parser = yield* Effect.provideServiceEffect(Parser.serving(AutoChunker.make()), Parser.Parser, Parser.make())
    const root = rootOf(paths)
    const found = Discovery.discover({ root, patterns: paths.map((path) => resolve(path)), exclude, ordered: true })
    const results = yield* found.pipe(
      Stream.mapEffect(
        (file) => {
          const { path } = file
          if (file._tag === "SourceFile") {
            return Effect.either(
              Effect.mapError(parser.parse(file, {}), ({ message }) => ({ path, message, failed: true }))
            )
          }
          const failed = file._tag !== "Unsupported"
          const message = failed ? file.error.message : "a type that is not parsed"
          return Effect.succeed(Either.left({ path, message, failed }))
        },
        { concurrency: parsers }
      ),
      Stream.runCollect,
      Effect.map(Chunk.toReadonlyArray)
    )
    for (const { failed, message, path } of results.flatMap((each) => (Either.isLeft(each) ? [each.left] : []))) {
      yield* terminal.note(`left out: ${message.startsWith(path) ? message : `${path}: ${message}`}`)
      if (failed) yield* ExitStatus.set(1)
    }
    const documents = results.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
    if (documents.length > 0) return documents
    return yield* new UsageError({ problem: `--over ${paths.join(" ")}: there is no document that can be read` })
  })
