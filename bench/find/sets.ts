/**
 * Sets of questions in a folder: XQuAD by language, Cranfield, and quarterly reports, whose page truth is found by a rule; and questions
 * of our own over the documentation of the packages that are installed here.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Evaluation from "docsluice/Evaluation"
import { Array as Arr, Either, Schema } from "effect"
import * as Csv from "../../src/internal/evaluation/csv.ts"

/** Texts or files, and the questions over them. */
export interface Set {
  readonly name: string
  /** Of the documents, in small letters: `german`. */
  readonly language: string
  readonly documents:
    | { readonly chunks: ReadonlyArray<DocumentChunk> }
    /** All files of the folder, or those of the list, which are below it. */
    | { readonly folder: string; readonly files?: ReadonlyArray<string> }
  /** What it makes of chunks is found once the files are parsed; these chunks are one page each or less. */
  readonly questions: Questions | ((pages: ReadonlyArray<DocumentChunk>) => Questions)
}

type Questions = ReadonlyArray<Evaluation.Question>

/** Half of a question by its hash: parameters may be chosen on `dev` alone. */
export const halfOf = (question: string): "dev" | "unseen" => ((digest(question)[0] ?? 0) % 2 === 0 ? "dev" : "unseen")

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** At most `count` questions, the same at each run. */
const some = (questions: Questions, count: number): Questions =>
  questions
    .map((question) => ({ question, key: Buffer.from(digest(`some ${question.question}`)).toString("hex") }))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .slice(0, count)
    .map(({ question }) => question)

const chunkOf = (source: string, text: string): DocumentChunk =>
  Schema.decodeUnknownSync(DocumentChunk)({
    id: `${source}-0`,
    documentId: source,
    source,
    index: 0,
    text,
    embedText: text,
    tokens: Math.ceil(text.length / 4),
    start: 0,
    end: text.length,
    pages: [],
    boxes: [],
    headingPath: [],
    kinds: [],
    blockIds: [],
    notes: [],
    metadata: {}
  })

const questionOf = Schema.decodeUnknownSync(Evaluation.Question)

const languages: Readonly<Record<string, string>> = {
  ar: "arabic",
  de: "german",
  el: "greek",
  en: "english",
  ru: "russian",
  th: "thai",
  zh: "chinese"
}

/** A name that holds no word of a text. */
const named = (number: number): string => `t${number}`

const Squad = Schema.parseJson(
  Schema.Struct({
    data: Schema.Array(
      Schema.Struct({
        paragraphs: Schema.Array(
          Schema.Struct({ context: Schema.String, qas: Schema.Array(Schema.Struct({ question: Schema.String })) })
        )
      })
    )
  })
)

const xquad = (folder: string, most: number): ReadonlyArray<Set> =>
  !existsSync(folder)
    ? []
    : readdirSync(folder)
        .toSorted()
        .flatMap((file) => {
          const [, code = ""] = /^xquad\.(\w+)\.json$/u.exec(file) ?? []
          const language = languages[code]
          if (language === undefined) return []
          const { data } = Schema.decodeSync(Squad)(readFileSync(join(folder, file), "utf8"))
          const paragraphs = data.flatMap((one) => one.paragraphs)
          const questions = paragraphs.flatMap(({ qas }, at) =>
            qas.flatMap(({ question }) =>
              question.trim() === "" ? [] : [questionOf({ question: question.trim(), source: named(at) })]
            )
          )
          const chunks = paragraphs.map(({ context }, at) => chunkOf(named(at), context))
          return [{ name: `xquad ${code}`, language, documents: { chunks }, questions: some(questions, most) }]
        })

const inOneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

const cranfield = (folder: string): ReadonlyArray<Set> => {
  if (!existsSync(folder)) return []
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  const documents = [
    ...read("cran.all.1400.xml").matchAll(/<docno>\s*(\d+)\s*<\/docno>[\s\S]*?<text>([\s\S]*?)<\/text>/gu)
  ]
  const chunks = documents.flatMap(([, number = "", text = ""]) =>
    text.trim() === "" ? [] : [chunkOf(named(Number(number)), text.trim())]
  )
  const grades = new Map<number, Array<string>>()
  for (const line of read("cranqrel.trec.txt").split("\n")) {
    const [query, , document, grade = "0"] = line.trim().split(/\s+/u)
    // The degrees run from 1, a complete answer, to 4; what has another number is of no interest.
    if (query === undefined || document === undefined || Number(grade) < 1) continue
    grades.set(Number(query), [...(grades.get(Number(query)) ?? []), named(Number(document))])
  }
  // Judgements name queries by their position.
  const questions = [...read("cran.qry.xml").matchAll(/<title>([\s\S]*?)<\/title>/gu)].flatMap(([, title = ""], at) => {
    const source = grades.get(at + 1)
    return source === undefined ? [] : [questionOf({ question: inOneLine(title), source: [...new Set(source)] })]
  })
  return [{ name: "cranfield", language: "english", documents: { chunks }, questions }]
}

/** Amounts with separators, such as `82,959`: others stand on too many pages. */
const figure = /\d{1,3}(?:,\d{3})+/gu

const figuresOf = (text: string): ReadonlySet<string> => new globalThis.Set(text.match(figure) ?? [])

/** Most pages of a report that may hold an answer's figures; more of them are no truth. */
const mostPages = 4

/** The pages of a report on which most figures of the answer stand. */
const pagesOf = (chunks: ReadonlyArray<DocumentChunk>, figures: ReadonlySet<string>): ReadonlyArray<number> => {
  const held = new Map<number, globalThis.Set<string>>()
  for (const { pages, text } of chunks) {
    const [page] = pages
    if (page === undefined || pages.length > 1) continue
    const known = held.get(page) ?? new globalThis.Set<string>()
    held.set(page, known)
    for (const each of figuresOf(text)) if (figures.has(each)) known.add(each)
  }
  const most = Math.max(0, ...[...held.values()].map(({ size }) => size))
  return most === 0
    ? []
    : [...held].flatMap(([page, { size }]) => (size === most ? [page] : [])).toSorted((a, b) => a - b)
}

/**
 * A question for each report that an answer names, with the pages of the report on which the answer's own figures stand. `chunks` are one
 * page each or less.
 */
const reports = (folder: string): ReadonlyArray<Set> => {
  const file = join(folder, "qna_data.csv")
  if (!existsSync(file)) return []
  const questions = (chunks: ReadonlyArray<DocumentChunk>) => {
    const [head, ...rows] = Either.getOrThrowWith(Csv.rows(readFileSync(file, "utf8").replace("\uFEFF", "")), String)
    const column = (name: string) => head?.cells.indexOf(name) ?? -1
    const bySource = Arr.groupBy(chunks, ({ source }) => source)
    return rows.flatMap(({ cells }) => {
      const [question = "", answer = ""] = [cells[column("Question")], cells[column("Answer")]]
      const figures = figuresOf(answer)
      const sources = new globalThis.Set(answer.match(/\d{4} Q\d [A-Z]+/gu) ?? [])
      return [...sources].flatMap((name) => {
        const source = `${name}.pdf`
        const pages = pagesOf(bySource[source] ?? [], figures)
        if (pages.length === 0 || pages.length > mostPages) return []
        return [questionOf({ question: inOneLine(question), source, pages, answer: inOneLine(answer) })]
      })
    })
  }
  return [{ name: "sec-10-q", language: "english", documents: { folder: join(folder, "docs") }, questions }]
}

const lines = (name: string): ReadonlyArray<string> =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")

/**
 * Documentation of the packages in `node_modules`, as far as the files of `packages.txt` are there, and the questions of
 * `packages.jsonl` whose quote still stands in its file.
 */
const packages = (): Set => {
  const folder = fileURLToPath(new URL("../../node_modules", import.meta.url))
  const files = lines("packages.txt").filter((file) => existsSync(join(folder, file)))
  const decode = Schema.decodeSync(Schema.parseJson(Evaluation.Question))
  const holds = (file: string, quotes: ReadonlyArray<string>): boolean => {
    const text = files.includes(file) ? readFileSync(join(folder, file), "utf8") : ""
    return quotes.every((quote) => text.includes(quote))
  }
  const questions = lines("packages.jsonl")
    .map((line) => decode(line))
    .filter(({ quote = [], source }) => [source].flat().every((file) => holds(file, [quote].flat())))
  return { name: "packages", language: "english", documents: { folder, files }, questions }
}

/** Our own set and those that the folder has; at most `most` questions of each language of XQuAD. */
export const read = (folder: string, most: number): ReadonlyArray<Set> => [
  packages(),
  ...cranfield(join(folder, "cranfield")),
  ...reports(join(folder, "sec-10-q")),
  ...xquad(join(folder, "xquad"), most)
]
