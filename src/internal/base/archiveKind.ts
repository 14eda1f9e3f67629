/** The word before the colon with which an archive is read as a root, by the extension of its name in lower case. */
const kinds: Readonly<Record<string, "zip" | "tar">> = { zip: "zip", tar: "tar", tgz: "tar" }

/** Undefined for an extension that is no archive's. */
export const archiveKind = (extension: string): "zip" | "tar" | undefined =>
  Object.hasOwn(kinds, extension) ? kinds[extension] : undefined
