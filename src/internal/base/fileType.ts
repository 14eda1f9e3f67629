/**
 * The file types that the service takes.
 *
 * Source: interface document, "Parse request"; the MIME types are the registered ones, since a part that is sent as
 * `text/plain` comes back unconverted.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const officeDocument = "application/vnd.openxmlformats-officedocument"
const openDocument = "application/vnd.oasis.opendocument"

/**
 * MIME type by extension, lower case, without the dot.
 *
 * @since 0.1.0
 * @category constants
 */
export const mimeTypes = {
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  pdf: "application/pdf",
  docx: `${officeDocument}.wordprocessingml.document`,
  doc: "application/msword",
  docm: "application/vnd.ms-word.document.macroEnabled.12",
  odt: `${openDocument}.text`,
  ods: `${openDocument}.spreadsheet`,
  odp: `${openDocument}.presentation`,
  rtf: "application/rtf",
  xlsx: `${officeDocument}.spreadsheetml.sheet`,
  xls: "application/vnd.ms-excel",
  xlsm: "application/vnd.ms-excel.sheet.macroEnabled.12",
  xlsb: "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
  pptx: `${officeDocument}.presentationml.presentation`,
  ppt: "application/vnd.ms-powerpoint",
  pptm: "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
  epub: "application/epub+zip",
  csv: "text/csv"
} as const

/**
 * One of the 20 extensions that the service takes, lower case, without the dot.
 *
 * @since 0.1.0
 * @category models
 */
export type Extension = keyof typeof mimeTypes

/**
 * True for an extension that the service takes, in lower case without the dot.
 *
 * @since 0.1.0
 * @category refinements
 */
export const isExtension = (text: string): text is Extension => Object.hasOwn(mimeTypes, text)

/**
 * The extension as a schema.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Extension: Schema.Schema<Extension, string> = Schema.String.pipe(
  Schema.filter(isExtension, { message: () => `expected one of ${all.join(", ")}` })
)

/**
 * All extensions, in the order of the interface document.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Extension> = Object.keys(mimeTypes).filter(isExtension)

/**
 * The part of a name after its last dot, lower case; empty when there is none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const extensionOf = (name: string): string => {
  const base = name.slice(name.lastIndexOf("/") + 1)
  const dot = base.lastIndexOf(".")
  return dot < 0 ? "" : base.slice(dot + 1).toLowerCase()
}

/**
 * The extension of a file name, when the service takes it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromName = (name: string): Option.Option<Extension> => {
  const extension = extensionOf(name)
  return isExtension(extension) ? Option.some(extension) : Option.none()
}

/**
 * The extension that a MIME type names (parameters are ignored), when the service takes it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromMimeType = (contentType: string): Option.Option<Extension> => {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  return Option.fromNullable(all.find((extension) => mimeTypes[extension].toLowerCase() === essence))
}
