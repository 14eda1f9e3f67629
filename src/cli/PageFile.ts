/** `--html OUT` and `--report OUT`: the file of the web page, checked before any work, and replaced in one step. */
import { randomUUID } from "node:crypto"
import { basename, dirname, join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** The page could not be written; the file's earlier content is unchanged. */
export class PageNotWritten extends Schema.TaggedError<PageNotWritten>("docsluice/cli/PageNotWritten")(
  "PageNotWritten",
  {
    /** Path as given. */
    path: Schema.String,
    cause: Schema.Defect
  }
) {
  override get message(): string {
    return `${this.path}: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** A file that a page can be written to. */
export interface PageFile {
  /** Path as given. */
  readonly path: string
  /** Writes the pieces one after the other; a failure or an interruption leaves the earlier content unchanged. */
  readonly write: (pieces: Iterable<string>) => Effect.Effect<void, PageNotWritten>
}

const isMissing = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

/** Checks that `path`, the value of `flag`, can be a file and is not the document itself under any name. */
export const at = (
  path: string,
  document: string | null,
  flag: "--html" | "--report" = "--html"
): Effect.Effect<PageFile, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const refused = (problem: string) => new UsageError({ problem: `${flag} ${path}: ${problem}` })
    const stdout = flag === "--html"
    if (path === "") {
      return yield* new UsageError({ problem: `${flag}: expected the name of a file${stdout ? ", or -" : ""}` })
    }
    const there = yield* status(fs, path).pipe(Effect.mapError((error) => refused(error.message)))
    if (Option.isNone(there)) {
      const folder = yield* status(fs, dirname(path)).pipe(Effect.mapError((error) => refused(error.message)))
      if (Option.isNone(folder)) return yield* refused(`the folder ${dirname(path)} does not exist`)
      if (folder.value.type !== "Directory") return yield* refused(`${dirname(path)} is no folder`)
      if (basename(path) === ".." || path.endsWith("/")) return yield* refused("expected the name of a file")
      return { path, write: replacing(fs, path, path, privateFile) }
    }
    const { dev, ino, mode, type } = there.value
    if (type === "Directory") return yield* refused("is a folder; name a file in it")
    if (type !== "File") return yield* refused(`is no ordinary file${stdout ? "; --html - writes to stdout" : ""}`)
    const source = document === null ? Option.none() : yield* Effect.option(fs.stat(document))
    const same = Option.exists(source, (info) => info.dev === dev && Option.isSome(ino) && sameNode(info.ino, ino))
    if (same) return yield* refused("is the document itself")
    // A link stays a link: the file that it points to is replaced.
    const real = yield* fs.realPath(path).pipe(Effect.mapError((error) => refused(error.message)))
    return { path, write: replacing(fs, path, real, mode & 0o777) }
  })

/** The place of the page of `--html`, checked; null without the flag. `document` is the file that the page must not replace. */
export const given = (
  { html, json }: { readonly html: Option.Option<string>; readonly json: boolean },
  document: string | null
): Effect.Effect<PageFile | "stdout" | null, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (Option.isNone(html)) return null
    if (html.value !== "-") return yield* at(html.value, document)
    if (!json) return "stdout"
    return yield* new UsageError({ problem: "--html - and --json both write to stdout; name a file for the page" })
  })

/** Writes the page there; a note says that a file was written, and what it shows. */
export const put = (
  page: PageFile | "stdout",
  pieces: Iterable<string>,
  content: string
): Effect.Effect<void, PageNotWritten, Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    if (page === "stdout") yield* terminal.document([...pieces].join("").trimEnd())
    else {
      yield* page.write(pieces)
      yield* terminal.note(`wrote ${page.path}: ${content}`)
    }
  })

const sameNode = (left: Option.Option<number>, right: Option.Option<number>): boolean =>
  Option.getOrNull(left) === Option.getOrNull(right)

const status = (fs: FileSystem.FileSystem, path: string) =>
  fs.stat(path).pipe(
    Effect.asSome,
    Effect.catchIf(isMissing, () => Effect.succeedNone)
  )

/** Mode of a new page: it holds what the documents hold, so it is its owner's alone. One that is there keeps its mode. */
const privateFile = 0o600

/** Number of characters that are joined for one write. */
const buffered = 1_000_000

const replacing =
  (fs: FileSystem.FileSystem, path: string, target: string, mode: number) =>
  (pieces: Iterable<string>): Effect.Effect<void, PageNotWritten> => {
    const temporary = join(dirname(target), `.docsluice-${randomUUID()}.tmp`)
    const filled = Effect.scoped(
      Effect.gen(function* () {
        const file = yield* fs.open(temporary, { flag: "wx", mode })
        const encoder = new TextEncoder()
        let text = ""
        for (const piece of pieces) {
          text += piece
          if (text.length < buffered) continue
          yield* file.writeAll(encoder.encode(text))
          text = ""
        }
        if (text !== "") yield* file.writeAll(encoder.encode(text))
        yield* file.sync
      })
    )
    return filled.pipe(
      Effect.zipRight(fs.rename(temporary, target)),
      Effect.onExit((exit) =>
        exit._tag === "Success" ? Effect.void : Effect.ignore(fs.remove(temporary, { force: true }))
      ),
      Effect.mapError((cause) => new PageNotWritten({ path, cause }))
    )
  }
