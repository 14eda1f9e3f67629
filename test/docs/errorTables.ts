/** The tables of the page of errors, made from the sources. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as AgentClient from "docsluice/service/AgentClient"
import * as ServiceError from "docsluice/service/ServiceError"
import { Record } from "effect"
import fg from "fast-glob"
import { documentTags, remedies, remedyOf } from "../../src/internal/base/remedies.ts"
import { root } from "./pages.ts"

export interface Table {
  /** Text of the heading that the table stands below. */
  readonly heading: string
  readonly rows: ReadonlyArray<string>
}

const row = (...cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

const code = (text: string): string => `\`${text}\``

const remedyRow = (tag: string): string => {
  return row(code(tag), remedies.get(tag)?.what ?? "", remedyOf(tag) ?? "")
}

const attempts = (count: number | "time"): string => (count === "time" ? "for ten minutes" : String(count))

const classes = { ...ServiceError }

const serviceRow = (tag: keyof typeof ServiceError.catalogue): string => {
  const { error, retryable, status } = ServiceError.catalogue[tag]
  const rule = RetryPolicy.rules[RetryPolicy.ruleOf(new classes[tag]({ status, error }))]
  return row(
    String(status),
    code(tag),
    error,
    retryable,
    attempts(rule.attempts),
    rule.severity === "run" ? "the run stops" : "the document fails",
    rule.retryable ? "yes" : "no"
  )
}

const agentRow = (tag: keyof typeof AgentClient.catalogue): string => {
  const { error, retryable, status } = AgentClient.catalogue[tag]
  return row(String(status), code(tag), error, retryable)
}

export const tables: ReadonlyArray<Table> = [
  { heading: "Errors of a document", rows: documentTags.map(remedyRow) },
  {
    heading: "Errors of a run, of options and of calls",
    rows: [...remedies.keys()].filter((tag) => !documentTags.includes(tag)).map(remedyRow)
  },
  { heading: "Answers of the service", rows: Record.keys(ServiceError.catalogue).map(serviceRow) },
  { heading: "Answers to agent requests", rows: Record.keys(AgentClient.catalogue).map(agentRow) }
]

/** Sources of the library and the command line, without comments. */
const sources: ReadonlyArray<string> = fg
  .sync(["src/**/*.{ts,tsx}", "sinks/**/*.ts"], { cwd: root })
  .map((file) => readFileSync(join(root, file), "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//gu, ""))

/** Tags of all classes of errors that the sources declare, but those of the engine and of modules that nobody outside sees. */
export const declared: ReadonlySet<string> = new Set(
  sources.flatMap((text) =>
    Array.from(
      text.matchAll(
        /(?:TaggedError<\w+>\(\s*"docsluice\/(?!engine\/|internal\/)[\w/]+"\s*|answered<\w+>\()\)\(\s*"(\w+)"/gu
      ),
      ([, tag = ""]) => tag
    )
  )
)

/** Values of the field `reason`, by the tag of the class that declares them as literals. */
export const reasons: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  sources.flatMap((text) =>
    Array.from(
      text.matchAll(
        /(?:TaggedError|answered)<(\w+)>\(\s*(?:"docsluice\/(?!engine\/|internal\/|cli\/|look\/)|\)\()[^{]*\{[^}]*?\breason: Schema\.Literal\(([^)]*)\)/gu
      ),
      ([, tag = "", literals = ""]): [string, ReadonlyArray<string>] => [
        tag,
        Array.from(literals.matchAll(/"(\w+)"/gu), ([, reason = ""]) => reason)
      ]
    )
  )
)

/** The page with the rows of the first table below each heading as the sources have them. */
export const rewritten = (page: string): string =>
  tables.reduce((text, { heading, rows }) => {
    const [before = "", after = ""] = text.split(new RegExp(`(?<=^#+ ${heading}\n)`, "mu"))
    return before + after.replace(/(^\|---.*\n)(?:\|.*\n)*/mu, (_, head: string) => `${head}${rows.join("\n")}\n`)
  }, page)
