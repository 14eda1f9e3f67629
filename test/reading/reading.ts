import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as SourceFile from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"

/** A file in memory, below the root `root`. */
export const fileOf = (path: string, content: string | Uint8Array): SourceFile.SourceFile =>
  SourceFile.fromBytes({
    root: "root",
    path,
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : content
  })

/** The document of a file that is read here. */
export const parse = (path: string, content: string | Uint8Array) => Parser.texts().parse(fileOf(path, content), {})

/** The chunks of a file that is read here, by default of at most 512 tokens. */
export const chunksOf = (path: string, content: string | Uint8Array, options: MarkdownChunker.Options = {}) =>
  Effect.gen(function* () {
    const document = yield* parse(path, content)
    const { chunks } = yield* MarkdownChunker.make(options).chunk(document)
    return chunks
  }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))

/** Heading paths as text, one for each chunk. */
export const pathsOf = (path: string, content: string, options: MarkdownChunker.Options = { minTokens: 0 }) =>
  Effect.map(chunksOf(path, content, options), (chunks) =>
    chunks.map(({ headingPath, text }) => [headingPath.map((heading) => heading.text).join(" > "), text] as const)
  )

const indented = (depth: number, title: string): string => `${"  ".repeat(depth)}${title}`

/**
 * The headings of a file whose structure is known, one line each, indented by two spaces for each depth. Keys of a path count once where
 * they follow one another.
 */
export const headingsOf = (file: SourceFile.SourceFile) =>
  Effect.map(Parser.texts().parse(file, {}), ({ structure = [] }) => {
    let above: ReadonlyArray<string> = []
    return structure.flatMap(({ depth = 1, kind, path, title }) => {
      if (path === undefined) {
        const isHeading = (kind === "heading" || kind === "omitted") && title !== undefined
        return isHeading ? [indented(depth - 1, title)] : []
      }
      const same = path.findIndex((key, at) => key !== above[at])
      above = path
      return same < 0 ? [] : path.slice(same).map((key, at) => indented(same + at, key))
    })
  })
