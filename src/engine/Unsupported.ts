/**
 * Options that the embedded engine does not support, with alternatives.
 *
 * @since 0.1.0
 */
import type { Extension } from "../service/FileType.ts"
import type { FormatType, Resolved } from "../service/ParseOptions.ts"
import { BadRequest } from "../service/ServiceError.ts"

/**
 * @since 0.1.0
 * @category predicates
 */
export const isHtml = (extension: Extension): extension is "html" | "htm" | "xhtml" =>
  extension === "html" || extension === "htm" || extension === "xhtml"

const modelFormats: ReadonlySet<FormatType> = new Set(["summary", "json"])

const pageFormats: ReadonlySet<FormatType> = new Set(["html", "rawHtml", "links", "images"])

const formatProblem = (format: FormatType, extension: Extension): string | undefined => {
  if (modelFormats.has(format)) {
    return `formats: "${format}" needs a language model, which this engine does not have; ask for other formats`
  }
  return pageFormats.has(format) && !isHtml(extension)
    ? `formats: "${format}" of a .${extension} file is not supported by this engine; ask for "markdown"`
    : undefined
}

/**
 * Error for the first option that is not supported for a file of this type; undefined when all are.
 *
 * @since 0.1.0
 * @category accessors
 */
export const check = (extension: Extension, options: Resolved): BadRequest | undefined => {
  const problems = options.formats.map((format) => formatProblem(format.type, extension))
  if (extension === "pdf" && options.pdf.mode === "ocr") {
    problems.push('parsers: mode "ocr" is not supported by this engine; use "auto" or "fast"')
  }
  const details = problems.filter((problem) => problem !== undefined)
  const [error] = details
  return error === undefined
    ? undefined
    : new BadRequest({ status: 400, code: "PARSE_UNSUPPORTED_OPTIONS", error, details })
}
