/** The version of the embedded engine, which is part of every cache key. */

import * as RulesVersion from "./redaction/RulesVersion.ts"

/** Revision of this engine, raised with every change that changes an answer. */
export const revision = 8

/** Packages that determine the content of answers; package.json pins the same versions, or has ranges that begin with them. */
export const parsers = {
  "@firecrawl/anydoc": "0.1.9",
  "@llamaindex/liteparse-wasm": "2.14.7",
  "awesome-phonenumber": "7.8.0",
  "hast-util-from-parse5": "8.0.4",
  "hast-util-to-mdast": "10.1.3",
  "mdast-util-to-markdown": "2.2.3",
  parse5: "8.1.1"
} as const

/** The engine's revision, the version of the rules of redaction, then each package with its version. */
export const version = [
  `engine@${revision}`,
  `redaction@${RulesVersion.version}`,
  ...Object.entries(parsers).map(([name, at]) => `${name}@${at}`)
].join(" ")
