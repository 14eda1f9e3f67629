import { createHash } from "node:crypto"

/**
 * A UUID for a chunk id, for stores that take nothing else: version 8 (RFC 9562), of the SHA-256 of `docsluice:` and the id, or of
 * `docsluice tenant:`, the tenant, `:` and the id. The same id gives the same UUID for ever.
 */
export const ofChunk = (id: string, tenant: string | null = null): string =>
  of(tenant === null ? `docsluice:${id}` : `docsluice tenant:${tenant}:${id}`)

const of = (text: string): string => {
  const bytes = createHash("sha256").update(text, "utf8").digest().subarray(0, 16)
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A UUID of version 8 that no chunk has: of the point that holds a collection's stamp. */
export const ofStamp = "00000000-0000-8000-8000-000000000000"

/** The same for the stamp of a tenant. */
export const ofStampOf = (tenant: string | null): string =>
  tenant === null ? ofStamp : of(`docsluice stamp:${tenant}`)
