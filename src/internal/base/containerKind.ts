/** Files that hold files which can be documents of their own, by the extensions of their names in lower case. */
const kinds = { zip: "zip", eml: "mail", msg: "mail", mbox: "mbox" } as const

/**
 * A kind of files that hold files: archives, messages with attachments, and mailboxes.
 *
 * @since 0.1.0
 * @category models
 */
export type ContainerKind = (typeof kinds)[keyof typeof kinds]

/** Every kind. */
export const containerKinds: ReadonlyArray<ContainerKind> = [...new Set(Object.values(kinds))]

const isContainer = (extension: string): extension is keyof typeof kinds => Object.hasOwn(kinds, extension)

/** Undefined for an extension of files that hold none. */
export const containerKind = (extension: string): ContainerKind | undefined =>
  isContainer(extension) ? kinds[extension] : undefined
