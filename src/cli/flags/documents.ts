/** Flags of the documents: which files are read, how they are parsed and how they are split. */
import { containerKinds } from "../../internal/base/containerKind.ts"
import * as Flag from "../Flag.ts"
import * as Reader from "../Reader.ts"

export const files = {
  root: Flag.optional(
    "root",
    "folder that paths are relative to (default: the working directory)",
    Reader.text("DIR"),
    { common: true }
  ),
  lookedRoots: Flag.list(
    "root",
    "NAME=DIR: folder of a root of the store; may be repeated (default: those of the state)",
    Reader.text("DIR")
  ),
  name: Flag.optional(
    "name",
    "name of the root, first part of every document id (default: its base name)",
    Reader.segment,
    { common: true }
  ),
  keyName: Flag.optional("name", "keys add: name of the key", Reader.text("NAME"), { common: true }),
  newRoot: Flag.toggle(
    "new-root",
    "treat the root as a new one, even if it holds the files of a known root that no longer exists"
  ),
  ignore: Flag.list("ignore", "leave out what matches this pattern; may be repeated", Reader.text("PATTERN"), {
    common: true
  }),
  gitignore: Flag.toggle("gitignore", "leave out what .gitignore files leave out"),
  filesFrom: Flag.optional(
    "files-from",
    "read the paths from this file, one per line or NUL-separated; - for stdin",
    Reader.text("FILE|-")
  ),
  types: Flag.list(
    "types",
    "take only files of these types, such as pdf,md; +tex takes one more, read as plain text; may be repeated (default: every type that can be read)",
    Reader.text()
  ),
  expand: Flag.optional(
    "expand",
    "open files of these kinds and take what is in them: zip archives, attachments of mail, messages of mbox (default: none)",
    Reader.listOf(...containerKinds)
  ),
  endpoint: Flag.optional(
    "endpoint",
    "address of the object store of s3:// or az:// paths, such as http://127.0.0.1:9000 (default: of the environment, then Amazon's or Azure's)",
    Reader.text()
  ),
  allowPrivate: Flag.list(
    "allow-private",
    "host, without a port, of list: or sitemap: that may have a private address, * for any; may be repeated (default: none)",
    Reader.text("HOST")
  ),
  poll: Flag.optional(
    "poll",
    "time between two looks at addresses, which report no changes, such as 15m (default: 1m)",
    Reader.duration
  ),
  empty: Flag.toggle("empty", "the documents that are stored without text or in part, instead of the failed ones")
}

const serviceAddress = Reader.text("ADDRESS", ["embedded"])

export const parsing = {
  service: Flag.value("service", "embedded, or the base address of a service", serviceAddress, {
    default: "embedded",
    common: true
  }),
  agentService: Flag.value(
    "service",
    "embedded, or the base address of a service with agents, which reads documents of its own",
    serviceAddress,
    { default: "embedded", common: true }
  ),
  apiKey: Flag.optional(
    "api-key",
    "key of the service, @FILE to read it from a file, or none; better in DOCSLUICE_API_KEY",
    Reader.text("KEY|@FILE"),
    { common: true, secret: true }
  ),
  apiKeys: Flag.list(
    "api-key",
    "a key that is accepted, or @FILE; may be repeated; none: any key or no key",
    Reader.text("KEY|@FILE"),
    { common: true, secret: true }
  ),
  parseOptions: Flag.optional(
    "parse-options",
    "options of a parse as JSON, or @FILE; merged over the default options of a run",
    Reader.text("JSON|@FILE")
  ),
  ocrLanguages: Flag.optional(
    "ocr-languages",
    "languages in which scans are read here, such as eng,deu, the best for each document; eng+deu is both at once; they need packages (default: all that are installed)",
    Reader.languages
  ),
  format: Flag.value(
    "format",
    "markdown, html, rawHtml, links, images, summary or json",
    Reader.oneOf("markdown", "html", "rawHtml", "links", "images", "summary", "json"),
    { default: "markdown" }
  )
}

export const chunking = {
  chunker: Flag.preset(
    "chunker",
    "auto, pages, blocks or markdown",
    Reader.oneOf("auto", "pages", "blocks", "markdown"),
    { default: "auto", common: true }
  ),
  maxTokens: Flag.preset("max-tokens", "token budget of a chunk", Reader.integer(1), { default: "512", common: true }),
  minTokens: Flag.preset(
    "min-tokens",
    "a chunk below this continues into the next section; at most --max-tokens",
    Reader.integer(0),
    { default: "0" }
  ),
  overlap: Flag.preset(
    "overlap",
    "most tokens of a chunk that the next one repeats; less than --max-tokens",
    Reader.integer(0),
    { default: "0" }
  ),
  pageBoundaries: Flag.optional(
    "page-boundaries",
    "soft: chunks may cross the start of a page; hard: they never do (default: hard for pages, else soft)",
    Reader.oneOf("soft", "hard")
  ),
  tokenizer: Flag.value(
    "tokenizer",
    "o200k_base, cl100k_base or chars",
    Reader.oneOf("o200k_base", "cl100k_base", "chars"),
    { default: "o200k_base" }
  ),
  metadata: Flag.list(
    "metadata",
    "KEY=VALUE: put it into the metadata of every chunk; may be repeated, one value for a key",
    Reader.text()
  )
}
