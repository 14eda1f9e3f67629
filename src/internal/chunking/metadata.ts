import type { MetadataValue } from "../../DocumentChunk.ts"
import type { Metadata } from "../../service/ParseResponse.ts"

const members = ["title", "description", "keywords", "language", "contentType", "sourceURL"] as const

/** The document's members that every chunk carries, where they are text or texts. */
export const inherited = (metadata: Metadata): Readonly<Record<string, MetadataValue>> => {
  const flat: Record<string, MetadataValue> = {}
  for (const member of members) {
    const value = metadata[member]
    if ((typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0)) {
      flat[member] = value
    }
  }
  return flat
}
