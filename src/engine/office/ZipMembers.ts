/** Small members of a zip archive, read within hard bounds. */
import { unzipSync } from "fflate"

/** Largest declared size of a member that is read, so that no archive expands without bound. */
const maxMemberBytes = 1024 * 1024

/**
 * Texts of the members with these names, UTF-8, without a byte order mark. Members that are missing, larger than 1 MiB or damaged are
 * left out; all are when the archive cannot be read.
 */
export const texts = (archive: Uint8Array, names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const wanted = new Set(names)
  const found = new Map<string, string>()
  try {
    // The output buffer has the declared size and never grows: a member that declares too little is cut off.
    const members = unzipSync(archive, {
      filter: (member) => wanted.delete(member.name) && member.originalSize <= maxMemberBytes
    })
    for (const [name, bytes] of Object.entries(members)) {
      found.set(name, new TextDecoder(encodingOf(bytes)).decode(bytes))
    }
  } catch {
    // A damaged archive has no properties here; its parser reports the damage.
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

/** The text of one member; undefined when {@link texts} has none. */
export const text = (archive: Uint8Array, name: string): string | undefined => texts(archive, [name]).get(name)
