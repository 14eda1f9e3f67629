/**
 * Small members of a zip archive, read within hard bounds.
 *
 * @since 0.1.0
 */
import { unzipSync } from "fflate"

/** A member that declares more is not read, so no archive unfolds into memory. */
const maxMemberBytes = 1024 * 1024

/** As many named members as a caller asks for at once. */
const maxMembers = 8

/**
 * The texts of the members with these names, UTF-8, a byte order mark left out. Members that are missing, larger than
 * 1 MiB or damaged are left out; so is everything when the archive cannot be read.
 *
 * @since 0.1.0
 * @category accessors
 */
export const texts = (archive: Uint8Array, names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const wanted = new Set(names.slice(0, maxMembers))
  const found = new Map<string, string>()
  try {
    // The output buffer is allocated by the declared size and never grows: a member that lies about it is cut.
    const members = unzipSync(archive, {
      filter: (member) => wanted.delete(member.name) && member.originalSize <= maxMemberBytes
    })
    for (const [name, bytes] of Object.entries(members)) {
      found.set(name, new TextDecoder(encodingOf(bytes)).decode(bytes))
    }
  } catch {
    // The properties of a damaged archive are not worth failing for: its parser says what is wrong.
  }
  return found
}

const encodingOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) {
    return "utf-16le"
  }
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
}
