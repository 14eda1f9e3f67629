/** The price of a parse. */
import type { Resolved } from "../../service/ParseOptions.ts"
import type { Metadata } from "../base/parseResponse.ts"

/**
 * Credits of one document that was parsed: 1, and 1 for each further PDF page; the `json` format makes the first 5;
 * redaction adds 4 a page. A parse that fails costs nothing.
 *
 * @since 0.1.0
 * @category accessors
 */
export const ofParse = (
  options: Pick<Resolved, "formats" | "redactPII">,
  metadata: Pick<Metadata, "numPages">
): number => {
  const pages = Math.max(1, metadata.numPages ?? 1)
  const first = options.formats.some((format) => format.type === "json") ? 5 : 1
  const redaction = options.redactPII === false ? 0 : 4 * pages
  return first + (pages - 1) + redaction
}
