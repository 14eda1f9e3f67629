/** The file of a chunk: where it lies below its root, as far as the chunk can be trusted. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { codeOf } from "../discovery/localFile.ts"
import { HitMissing } from "./hitMissing.ts"

export type Named = Pick<DocumentChunk, "documentId" | "source">

/** Name of a root, and the path of a file below it, without `.`, `..` and other ways out. */
export interface Below {
  readonly root: string
  /** POSIX path. */
  readonly path: string
}

const isWayOut = (segment: string): boolean =>
  segment === "" || segment === "." || segment === ".." || segment.includes("\0") || segment.includes("\uFFFD")

/** A character that separates folders here and not in a chunk, or names a drive or a stream. */
const separates = (source: string): boolean => path.sep !== "/" && /[\\:]/u.test(source)

/** Root and path of the document, or the refusal of a chunk whose names lead out of a root. */
export const below = ({ documentId, source }: Named): Either.Either<Below, HitMissing> => {
  const root = documentId.slice(0, -source.length - 1)
  const consistent = root !== "" && documentId === `${root}/${source}`
  return consistent && !source.split("/").some(isWayOut) && !separates(source)
    ? Either.right({ root, path: source })
    : Either.left(
        new HitMissing({
          reason: "outside",
          problem: "The store names a path that leads out of the documents' folder; nothing is read from there.",
          remedy: "Find out who wrote this chunk: ingestion stores no such path."
        })
      )
}

/** A file that is there, inside of its root. */
export interface Place {
  /** Absolute, with links followed. */
  readonly absolute: string
  /** Bytes. */
  readonly size: number
  /** Changes when the file is written or replaced. */
  readonly version: string
}

/** Finds the file in the root's folder; links are followed as long as they stay inside. Reads no bytes. */
export const find = Effect.fnUntraced(function* (
  folder: string,
  { path: source, root }: Below
): Effect.fn.Return<Place, HitMissing> {
  const real = yield* attempt(
    () => fs.realpath(folder),
    () =>
      new HitMissing({
        reason: "no-root",
        problem: `The folder of the root ${JSON.stringify(root)} is not there.`,
        remedy: `Start with --root ${quoted(root)}=FOLDER if it was moved.`
      })
  )
  const absolute = yield* attempt(
    () => fs.realpath(path.join(real, ...source.split("/"))),
    (code) => absent(source, code)
  )
  if (!isInside(real, absolute)) {
    return yield* new HitMissing({
      reason: "outside",
      problem: `${source} is a link that leads out of the root ${JSON.stringify(root)}; it is not followed.`,
      remedy: "Put the file itself there, and ingest again."
    })
  }
  const stat = yield* attempt(
    () => fs.stat(absolute, { bigint: true }),
    (code) => absent(source, code)
  )
  if (!stat.isFile()) return yield* absent(source, "EISDIR")
  const { ctimeNs, dev, ino, mtimeNs, size } = stat
  return { absolute, size: Number(size), version: [dev, ino, size, mtimeNs, ctimeNs].join(":") }
})

const quoted = (name: string): string =>
  /^[\w.-]+$/u.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`

/** True for an absolute path below an absolute folder. */
export const isInside = (folder: string, file: string): boolean => {
  const way = path.relative(folder, file)
  return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}

const absent = (source: string, code: string | undefined): HitMissing => {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return new HitMissing({
        reason: "gone",
        problem: `${source} is no longer there.`,
        remedy: "Put it back where it was, or ingest again where it is now."
      })
    case "ELOOP":
      return new HitMissing({
        reason: "outside",
        problem: `${source} is a link that leads to itself.`,
        remedy: "Put the file itself there, and ingest again."
      })
    default:
      return notReadable(source, code)
  }
}

/** The refusal of a file that is there and cannot be read. */
export const notReadable = (source: string, code: string | undefined): HitMissing =>
  new HitMissing({
    reason: "not-readable",
    problem:
      code === "EISDIR" ? `${source} is no regular file any more.` : `${source} cannot be read (${code ?? "unknown"}).`,
    remedy:
      code === "EACCES" || code === "EPERM"
        ? "Let the user of this server read it."
        : "Put the file itself there, and ingest again."
  })

const attempt = <A>(
  call: () => Promise<A>,
  refused: (code: string | undefined) => HitMissing
): Effect.Effect<A, HitMissing> => Effect.tryPromise({ try: call, catch: (cause) => refused(codeOf(cause)) })
