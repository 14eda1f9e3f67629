import type { SourceFile } from "../../SourceFile.ts"
import { extensionOf } from "../base/fileType.ts"

/** Tokens per PDF page: the median of 35 documents. */
const perPage = 510

/** Tokens per KiB of the file: the total of some ten documents of each type. */
const perKiB: Readonly<Record<string, number>> = {
  docx: 12,
  doc: 7,
  docm: 40,
  odt: 14,
  rtf: 20,
  xlsx: 53,
  xls: 55,
  xlsm: 100,
  xlsb: 43,
  ods: 80,
  csv: 550,
  pptx: 5.6,
  pptm: 2,
  ppt: 4.6,
  odp: 2.2,
  epub: 17,
  html: 58,
  htm: 50,
  xhtml: 50
}

/** The same for text that is read as it is. */
const perKiBOfText = 260

/** Estimates the tokens of a document's chunks from the usual density of its type; accurate to an order of magnitude. */
export const tokensOf = (file: SourceFile, pages: number): number => {
  const extension = extensionOf(file.path)
  return extension === "pdf" ? pages * perPage : Math.ceil(((perKiB[extension] ?? perKiBOfText) * file.size) / 1024)
}
