import { allTables, code, section, type Table } from "../interfaceDocument.ts"

/** Tables of the agent operations. */
const agentTables = ["States and transitions", "Agent endpoints", "Events", "Agent errors", "Trace error codes"]

/** Rows of other tables that belong to the agent operations. */
const agentLimits = new Set(["Limits: Credit cap"])

/** Shorter names of headings. */
const short: Readonly<Record<string, string>> = {
  "Parse request (multipart/form-data)": "Parse request",
  "PDF parser object (item of `parsers`)": "PDF parser",
  "RedactPIIOptions (no other properties allowed)": "RedactPIIOptions",
  "AuditMetadata (no other properties allowed)": "AuditMetadata",
  "Parse response body (status 200)": "Parse response",
  "`data.blocks` page object": "data.blocks",
  "`data.metadata`": "data.metadata"
}

const firstCell = (row: Table[number]): string => Object.values(row)[0] ?? ""

/** The names of a row: the code spans of its first cell where it holds nothing else, or the cell; of an error, status and text; of a transition, state and cause. */
const namesOf = (row: Table[number]): ReadonlyArray<string> => {
  if (row["Moved by"] !== undefined) return [`${firstCell(row)}, ${row["Moved by"].replaceAll("`", "")}`]
  if (row["HTTP"] !== undefined) return [`${row["HTTP"]} ${code(row["`error`"])[0]}`]
  const cell = firstCell(row)
  return cell.replaceAll(/`[^`]*`|[\s,]/g, "") === "" ? code(cell) : [cell.replaceAll("`", "")]
}

const tableRows: ReadonlyArray<string> = allTables().flatMap(({ heading, rows }) =>
  rows.flatMap((row) => namesOf(row).map((name) => `${short[heading] ?? heading}: ${name}`))
)

/** Formats, and the members of `json`, which the document names in prose. */
const formatRows = (): ReadonlyArray<string> => {
  const [sentence = "", rest = ""] = section("Formats").split("Only `json`")
  return [...code(sentence.slice(sentence.indexOf("Allowed"))).slice(1), ...code(rest)].map(
    (name) => `Formats: ${name}`
  )
}

/** Members of the shared response schema, which the document names in prose. */
const sharedRows = (): ReadonlyArray<string> => {
  const [names = ""] = (section("Parse response body").split("also names")[1] ?? "").split("Their formats")
  return code(names.replaceAll(/\([^()]*\)/g, "")).map((name) => `Shared response: ${name}`)
}

const isAgentRow = (row: string): boolean =>
  agentLimits.has(row) || agentTables.some((heading) => row.startsWith(`${heading}: `))

const all: ReadonlyArray<string> = [...new Set([...tableRows, ...formatRows(), ...sharedRows()])]

/** Every row of the parse operation and of the general tables, as `table: name`. */
export const parseRows: ReadonlyArray<string> = all.filter((row) => !isAgentRow(row))

/** The rows of the agent operations. */
export const agentRows: ReadonlyArray<string> = all.filter(isAgentRow)
