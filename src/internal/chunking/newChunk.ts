import { DocumentChunk } from "../../DocumentChunk.ts"

/** The members of a chunk. */
export type Members = Omit<typeof DocumentChunk.Type, never>

const prototype: object = DocumentChunk.prototype

/**
 * An instance with these members, which are known to be valid. The class's own constructor looks at every field's default
 * on the way, which takes longer than all other work on a chunk but its hash.
 */
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
export const newChunk = (members: Members): DocumentChunk => Object.setPrototypeOf(members, prototype) as DocumentChunk
