/** Files that hold files, as stores: zip with its central directory, tar member by member, mailboxes, attachments of mail, and what they refuse. */
import { open } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SourceUnavailable } from "../../Source.ts"
import { codeOf } from "../discovery/localFile.ts"
import type { ObjectStore } from "../objects/objectStore.ts"
import { Damaged } from "./damaged.ts"
import { addressOf, type Archive } from "./place.ts"
import * as Tar from "./tar.ts"
import * as Zip from "./zip.ts"

/** The error of an archive as a whole. */
export const unusable =
  (source: string) =>
  (cause: unknown): SourceUnavailable => {
    if (cause instanceof Damaged) {
      return new SourceUnavailable({ source, reason: cause.reason, problem: cause.message })
    }
    switch (codeOf(cause)) {
      case "ENOENT":
      case "ENOTDIR":
        return new SourceUnavailable({ source, reason: "Missing", problem: "there is no such file; check its name" })
      case "EACCES":
      case "EPERM":
        return new SourceUnavailable({ source, reason: "Denied", problem: "it may not be read; let this user read it" })
      default: {
        const words = cause instanceof Error ? cause.message : String(cause)
        const problem = `it cannot be read to its end (${words}); make it again, or unpack it into a folder`
        return new SourceUnavailable({ source, reason: "Damaged", problem, cause })
      }
    }
  }

const about = (archive: Archive) => {
  const address = addressOf(archive)
  return { address, path: archive.path, failed: unusable(address) }
}

/** Opens a zip archive; reads nothing yet. */
export const zip = (path: string): Effect.Effect<ObjectStore<Zip.ZipMember>> =>
  Effect.sync(() => Zip.make({ ...about({ kind: "zip", path }), open: () => open(path, "r") }))

/** Opens a tar archive; reads nothing yet. What is unpacked of it is deleted with the scope. */
export const tar = (path: string): Effect.Effect<ObjectStore<Tar.TarMember>, never, Scope.Scope> =>
  Tar.make(about({ kind: "tar", path }))
