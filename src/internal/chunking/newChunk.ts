import { DocumentChunk } from "../../DocumentChunk.ts"

/** The members of a chunk. */
export type Members = Omit<typeof DocumentChunk.Type, never>

interface Constructor {
  new (members: Members): DocumentChunk
}

function Plain(this: { -readonly [Name in keyof Members]: Members[Name] }, members: Members): void {
  this.id = members.id
  this.documentId = members.documentId
  this.source = members.source
  this.index = members.index
  this.text = members.text
  this.embedText = members.embedText
  this.tokens = members.tokens
  this.start = members.start
  this.end = members.end
  this.pages = members.pages
  this.boxes = members.boxes
  this.headingPath = members.headingPath
  this.kinds = members.kinds
  this.blockIds = members.blockIds
  if (members.parentId !== undefined) {
    this.parentId = members.parentId
  }
  this.notes = members.notes
  this.metadata = members.metadata
}

Plain.prototype = DocumentChunk.prototype

// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
const Constructor = Plain as unknown as Constructor

/**
 * An instance with these members, which are known to be valid. The class's own constructor looks at every field's default
 * on the way, which takes longer than all other work on a chunk but its hash.
 */
export const newChunk = (members: Members): DocumentChunk => new Constructor(members)
