/** The document that a command line is sure to parse, known before the program is loaded. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"

/** Extensions by the kind of job that parses them. */
const parsed = {
  html: /\.(?:html?|xhtml)$/iu,
  pdf: /\.pdf$/iu,
  office: /\.(?:docx?|docm|od[tsp]|rtf|xls[xmb]?|pptx?|pptm|epub|csv)$/iu
} as const

type Kind = keyof typeof parsed

const kinds = ["html", "pdf", "office"] as const satisfies ReadonlyArray<Kind>

const commands: ReadonlySet<string> = new Set(["ingest", "parse", "chunks", "look"])

/** Flags that name a service, a queue whose workers parse, or a state that may have the document. */
const elsewhere = /^--(?:service|queue|state)\b/u

const settings = ["docsluice.config.json", "docsluice.config.yaml"]

/**
 * The kinds of the jobs that a command is sure to have in processes of their own: of its first document, a file that is looked at, or one
 * of a first run. A PDF that is looked at is drawn by a second process. None where a flag, the environment, or a config file or the state
 * in `folder` may say otherwise.
 */
export const jobsOf = (
  [command = "", ...words]: ReadonlyArray<string>,
  environment: NodeJS.ProcessEnv,
  folder = "."
): ReadonlyArray<Kind> => {
  const exists = (path: string): boolean => existsSync(resolve(folder, path))
  if (!commands.has(command) || (command === "ingest" && exists(".docsluice"))) return []
  if (words.some((word) => elsewhere.test(word)) || settings.some((file) => exists(file))) return []
  if (Object.keys(environment).some((name) => name.startsWith("DOCSLUICE_"))) return []
  const file = words.find((word) => kinds.some((kind) => parsed[kind].test(word)) && exists(word)) ?? ""
  const jobs = kinds.filter((kind) => parsed[kind].test(file))
  return command === "look" ? jobs.flatMap((kind) => (kind === "pdf" ? [kind, kind] : [kind])) : jobs
}
