/** Options that the embedded engine does not support, with alternatives. */
import type { Extension } from "../internal/base/fileType.ts"
import type { Resolved } from "../service/ParseOptions.ts"
import { BadRequest } from "../service/ServiceError.ts"
import * as OcrInstall from "./ocr/OcrInstall.ts"

export const isHtml = (extension: Extension): extension is "html" | "htm" | "xhtml" =>
  extension === "html" || extension === "htm" || extension === "xhtml"

/** Error for the first option that is not supported for a file of this type, with or without `ocr`; undefined when all are. */
export const check = (extension: Extension, options: Resolved, ocr: boolean): BadRequest | undefined => {
  const problems: Array<string> = []
  if (extension === "pdf" && options.pdf.mode === "ocr" && !ocr) {
    problems.push(
      `parsers: mode "ocr" is not supported here without its packages; run: ${OcrInstall.command()}; or use "auto" or "fast"`
    )
  }
  const [error] = problems
  return error === undefined
    ? undefined
    : new BadRequest({ status: 400, code: "PARSE_UNSUPPORTED_OPTIONS", error, details: problems })
}
