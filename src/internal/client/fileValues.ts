import * as Predicate from "effect/Predicate"
import { FileUnreadable, type Fingerprint, type SourceFile } from "../../SourceFile.ts"

/** A path that is empty, absolute, has a NUL, or leads out of the root. */
const astray = /^(?:\/|$)|\0|(?:^|\/)\.\.(?:\/|$)/u

const isFingerprint = (given: Fingerprint): boolean =>
  Predicate.isTagged(given, "Etag")
    ? typeof given.value === "string" && !given.value.includes("\0")
    : Predicate.isTagged(given, "Stat") &&
      [given.modified, given.changed, given.inode].every((value) => typeof value === "bigint")

/** A value in few characters; a text in quotes. */
const show = (value: unknown): string => {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value)
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}

/** The first value of the file, which a program may have made by itself, that nothing can be done with; null where all are right. */
export const faultOf = (file: SourceFile): FileUnreadable | null => {
  const { documentId, fingerprint, size } = file
  const path: unknown = file.path
  const fault = (field: keyof SourceFile, bound: string, value: unknown): FileUnreadable =>
    // A NUL cannot be kept by every state.
    new FileUnreadable({
      path: typeof path === "string" ? path.replaceAll("\0", "\uFFFD") : show(path),
      reason: "Invalid",
      problem: `${field}: expected ${bound}, got ${show(value)}`
    })
  if (typeof path !== "string" || astray.test(path)) {
    return fault("path", "a path below the root, such as a/b.html", path)
  }
  if (!Number.isSafeInteger(size) || size < 0) return fault("size", "a number of bytes, whole and from 0 on", size)
  if (typeof documentId !== "string") return fault("documentId", "the id of SourceFile.documentId", documentId)
  if (fingerprint !== undefined && !isFingerprint(fingerprint)) {
    return fault("fingerprint", "an Etag with a text, or a Stat with three bigints", fingerprint)
  }
  return null
}
