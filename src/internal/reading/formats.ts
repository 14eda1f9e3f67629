/** Text formats that are read on this machine: encodings, front matter, and one file for each format. */
import * as Effect from "effect/Effect"
import { loaded } from "../base/loaded.ts"
import type { Format } from "./contract.ts"
import { log, plain } from "./plain.ts"

/** Every built-in format, one file each: a further one is a `FormatReader` in a new file, listed here. */
const formats: ReadonlyArray<Format> = [
  {
    extensions: ["md", "markdown"],
    mimeType: "text/markdown",
    scanned: true,
    reader: loaded(() => import("./markdown.ts").then(({ markdown }) => markdown))
  },
  { extensions: ["mdx"], mimeType: "text/mdx", reader: loaded(() => import("./markdown.ts").then(({ mdx }) => mdx)) },
  { extensions: ["rst"], mimeType: "text/x-rst", reader: loaded(() => import("./rst.ts").then(({ rst }) => rst)) },
  {
    extensions: ["adoc", "asciidoc"],
    mimeType: "text/asciidoc",
    reader: loaded(() => import("./asciidoc.ts").then(({ asciidoc }) => asciidoc))
  },
  { extensions: ["org"], mimeType: "text/org", reader: loaded(() => import("./org.ts").then(({ org }) => org)) },
  { extensions: ["txt", "text"], mimeType: "text/plain", scanned: true, reader: Effect.succeed(plain) },
  { extensions: ["log"], mimeType: "text/plain", scanned: true, reader: Effect.succeed(log) },
  {
    extensions: ["json"],
    mimeType: "application/json",
    reader: loaded(() => import("./json.ts").then(({ json }) => json))
  },
  {
    extensions: ["jsonl", "ndjson"],
    mimeType: "application/x-ndjson",
    reader: loaded(() => import("./jsonLines.ts").then(({ jsonLines }) => jsonLines))
  },
  {
    extensions: ["yaml", "yml"],
    mimeType: "application/yaml",
    reader: loaded(() => import("./yaml.ts").then(({ yaml }) => yaml))
  },
  { extensions: ["xml"], mimeType: "application/xml", reader: loaded(() => import("./xml.ts").then(({ xml }) => xml)) },
  {
    extensions: ["eml"],
    mimeType: "message/rfc822",
    reader: loaded(() => import("./mail.ts").then(({ mail }) => mail))
  },
  {
    extensions: ["msg"],
    mimeType: "application/vnd.ms-outlook",
    reader: loaded(() => import("./mail.ts").then(({ outlook }) => outlook))
  },
  {
    extensions: ["ipynb"],
    mimeType: "application/x-ipynb+json",
    reader: loaded(() => import("./notebook.ts").then(({ notebook }) => notebook))
  }
]

const byExtension: ReadonlyMap<string, Format> = new Map(
  formats.flatMap((format) => format.extensions.map((extension) => [extension, format] as const))
)

/** The extensions of all formats, lower case, without the dot, in the order of the formats. */
export const extensions: ReadonlyArray<string> = [...byExtension.keys()]

/** The format of an extension in lower case; undefined for one that is not read here. */
export const ofExtension = (extension: string): Format | undefined => byExtension.get(extension)
