/** Text formats that are read on this machine: encodings, front matter, and one file for each format. */
import { asciidoc } from "./asciidoc.ts"
import type { Format } from "./contract.ts"
import { json } from "./json.ts"
import { jsonLines } from "./jsonLines.ts"
import { mail, outlook } from "./mail.ts"
import { markdown, mdx } from "./markdown.ts"
import { notebook } from "./notebook.ts"
import { org } from "./org.ts"
import { log, plain } from "./plain.ts"
import { rst } from "./rst.ts"
import { xml } from "./xml.ts"
import { yaml } from "./yaml.ts"

/** Every built-in format, one file each: a further one is a `Format` in a new file, listed here. */
const formats: ReadonlyArray<Format> = [
  markdown,
  mdx,
  rst,
  asciidoc,
  org,
  plain,
  log,
  json,
  jsonLines,
  yaml,
  xml,
  mail,
  outlook,
  notebook
]

const byExtension: ReadonlyMap<string, Format> = new Map(
  formats.flatMap((format) => format.extensions.map((extension) => [extension, format] as const))
)

/** The extensions of all formats, lower case, without the dot, in the order of the formats. */
export const extensions: ReadonlyArray<string> = [...byExtension.keys()]

/** The format of an extension in lower case; undefined for one that is not read here. */
export const ofExtension = (extension: string): Format | undefined => byExtension.get(extension)
