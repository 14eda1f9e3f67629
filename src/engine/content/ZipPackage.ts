/**
 * Identifies documents that are zip archives by the members that each format prescribes.
 *
 * Source: ECMA-376 part 2 (`[Content_Types].xml`), OpenDocument 1.3 part 2 and EPUB OCF (`mimetype`).
 */
import type { Extension } from "../../internal/base/fileType.ts"
import * as ZipMembers from "../office/ZipMembers.ts"

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04

/** A document, or another kind of archive as a noun with its article. */
export type Found =
  | { readonly _tag: "Document"; readonly extension: Extension }
  | { readonly _tag: "Other"; readonly what: string }

const mimeTypes: Readonly<Record<string, Extension>> = {
  "application/epub+zip": "epub",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.oasis.opendocument.text-template": "odt",
  "application/vnd.oasis.opendocument.text-master": "odt",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.spreadsheet-template": "ods",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.presentation-template": "odp"
}

/** Content types of the main part; templates and shows count as the documents that they are made for. */
const mainParts: ReadonlyArray<readonly [RegExp, Extension]> = [
  [/wordprocessingml\.(?:document|template)\.main\+xml/i, "docx"],
  [/ms-word\.(?:document|template)\.macroEnabled(?:Template)?\.main\+xml/i, "docm"],
  [/spreadsheetml\.(?:sheet|template)\.main\+xml/i, "xlsx"],
  [/ms-excel\.(?:sheet|template|addin)\.macroEnabled\.main\+xml/i, "xlsm"],
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/i, "xlsb"],
  [/presentationml\.(?:presentation|template|slideshow)\.main\+xml/i, "pptx"],
  [/ms-powerpoint\.(?:presentation|template|slideshow)\.macroEnabled\.main\+xml/i, "pptm"]
]

const contentTypes = "[Content_Types].xml"

/** Type of the document in the archive; undefined when its members do not tell, or cannot be read. */
export const find = (bytes: Uint8Array): Found | undefined => {
  const members = ZipMembers.texts(bytes, ["mimetype", contentTypes])
  const mimeType = members.get("mimetype")?.trim()
  if (mimeType !== undefined) {
    const extension = mimeTypes[mimeType]
    if (extension !== undefined) {
      return { _tag: "Document", extension }
    }
    if (mimeType.startsWith("application/vnd.oasis.opendocument.")) {
      return { _tag: "Other", what: `an OpenDocument file of another kind (${mimeType.slice(0, 80)})` }
    }
  }
  const types = members.get(contentTypes)
  const extension = types === undefined ? undefined : mainParts.find(([pattern]) => pattern.test(types))?.[1]
  return extension === undefined ? undefined : { _tag: "Document", extension }
}
