/** `.ipynb`: the cells of a Jupyter notebook and their text outputs, as Markdown. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { TextBlock } from "../../ParsedDocument.ts"
import type { FormatReader, Reading } from "./contract.ts"
import { titleOf } from "./markdown.ts"
import { reading as plain } from "./plain.ts"

const Text = Schema.Union(Schema.String, Schema.Array(Schema.String))

const Output = Schema.Struct({
  /** Text of a stream, and of any output of version 3. */
  text: Schema.optional(Text),
  data: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  ename: Schema.optional(Schema.String),
  evalue: Schema.optional(Schema.String),
  traceback: Schema.optional(Schema.Array(Schema.String))
})

type Output = typeof Output.Type

const Cell = Schema.Struct({
  cell_type: Schema.String,
  /** Text of the cell; that of a code cell of version 3 is `input`. */
  source: Schema.optional(Text),
  input: Schema.optional(Text),
  /** Depth of a cell of type `heading`, of version 3. */
  level: Schema.optional(Schema.Number),
  language: Schema.optional(Schema.String),
  outputs: Schema.optional(Schema.Array(Output))
})

const Named = Schema.Struct({ name: Schema.optional(Schema.String), language: Schema.optional(Schema.String) })

const Notebook = Schema.Struct({
  metadata: Schema.optional(
    Schema.Struct({
      title: Schema.optional(Schema.String),
      kernelspec: Schema.optional(Named),
      language_info: Schema.optional(Named)
    })
  ),
  cells: Schema.optional(Schema.Array(Cell)),
  worksheets: Schema.optional(Schema.Array(Schema.Struct({ cells: Schema.Array(Cell) })))
})

const decode = Schema.decodeEither(Schema.parseJson(Notebook))

const isText = Schema.is(Text)

const joined = (text: typeof Text.Type | undefined): string =>
  text === undefined || typeof text === "string" ? (text ?? "") : text.join("")

/** Colours and other commands to a terminal. */
const escapes = new RegExp(String.raw`\u001b\[[0-9;]*[A-Za-z]`, "gu")

/** The lines as a terminal shows them after overwrites, as by a progress bar. */
const withoutOverwritten = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/\r+$/u, "").replace(/^[^]*\r/u, ""))
    .join("\n")

const fenced = (language: string, text: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/u, "")}\n${fence}`
}

const plainOutput = ({ data, ename, evalue, text, traceback }: Output): string => {
  if (traceback !== undefined && traceback.length > 0) return traceback.join("\n")
  if (ename !== undefined) return `${ename}: ${evalue ?? ""}`
  const value = data?.["text/plain"]
  if (isText(value)) return joined(value)
  const latex = data?.["text/latex"]
  return joined(isText(latex) ? latex : text)
}

/** Pictures and widgets are left out; most of them have a text as well. */
const outputOf = (output: Output): string => {
  const markdown = output.data?.["text/markdown"]
  if (isText(markdown)) return joined(markdown)
  const text = withoutOverwritten(plainOutput(output).replace(escapes, ""))
  return text.trim() === "" ? "" : fenced("text", text)
}

const textsOf = (cell: typeof Cell.Type, language: string): ReadonlyArray<string> => {
  const source = joined(cell.source ?? cell.input)
  const outputs = (cell.outputs ?? []).map(outputOf)
  if (cell.cell_type === "code") {
    return [source.trim() === "" ? "" : fenced(cell.language ?? language, source), ...outputs]
  }
  if (cell.cell_type === "heading")
    return [`${"#".repeat(Math.min(6, cell.level ?? 1))} ${source.replace(/\s+/gu, " ")}`]
  return [cell.cell_type === "raw" && source.trim() !== "" ? fenced("", source) : source]
}

const read = (text: string): Reading => {
  const notebook = decode(text)
  if (Either.isLeft(notebook)) {
    return {
      ...plain(text, "lines"),
      warnings: ["it is no Jupyter notebook of version 3 or 4, and was read as plain text"]
    }
  }
  const { cells, metadata, worksheets } = notebook.right
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? ""
  let markdown = ""
  const blocks: Array<TextBlock> = []
  for (const cell of cells ?? worksheets?.flatMap((sheet) => sheet.cells) ?? []) {
    for (const part of textsOf(cell, language)) {
      if (part.trim() === "") continue
      if (markdown !== "") markdown += "\n\n"
      // A cell is a separate Markdown text: a mark that it leaves open ends with it.
      blocks.push({ kind: "markdown", start: markdown.length, end: markdown.length + part.length })
      markdown += part
    }
  }
  const title = metadata?.title ?? titleOf(markdown, 0)
  return {
    markdown,
    blocks,
    metadata: { ...(title !== undefined && { title }), ...(language !== "" && { programmingLanguage: language }) }
  }
}

export const notebook: FormatReader = { ofText: read }
