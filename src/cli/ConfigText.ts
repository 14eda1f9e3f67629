/** The text of a config file. */
import { parse as parseYaml, YAMLParseError } from "yaml"
import { codeOf } from "../internal/discovery/localFile.ts"

/** Parses JSON or YAML. */
export const parse = (text: string): unknown => parseYaml(text)

/** Error text without the parser's own message, which repeats lines of the file that may hold a key. */
export const wrong = (cause: unknown): string => {
  if (!(cause instanceof YAMLParseError)) return `cannot be read (${codeOf(cause) ?? "not valid YAML"})`
  const line = cause.linePos === undefined ? "" : ` in line ${cause.linePos[0].line}`
  return cause.code === "DUPLICATE_KEY" ? `a flag is set twice${line}; keep one of them` : `not valid YAML${line}`
}
