/** Questions with their truth, and the files that they are read from. */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { Box } from "../../DocumentChunk.ts"
import { parseJson } from "../base/json.ts"
import { isRecord } from "../base/rules.ts"
import * as Suggestion from "../base/suggestion.ts"
import * as Csv from "./csv.ts"

const oneOrMore = <A, I>(item: Schema.Schema<A, I>) => Schema.Union(item, Schema.NonEmptyArray(item))

const page = Schema.Int.pipe(Schema.positive())

/**
 * A question and where its answer stands. Every member next to `source` is truth of its own, finer than the document.
 *
 * @since 0.1.0
 * @category models
 */
export class Question extends Schema.Class<Question>("docsluice/Question")({
  question: Schema.NonEmptyTrimmedString,
  /** Path below the root, or document id, of the document with the answer; several when each of them is one. */
  source: oneOrMore(Schema.NonEmptyString),
  /** Grades of the sources in their order, greater is better; default 1 each. */
  grades: Schema.optional(Schema.NonEmptyArray(Schema.Number.pipe(Schema.positive(), Schema.finite()))),
  /** 1-based physical pages on which the answer stands, in any of the sources. */
  pages: Schema.optional(oneOrMore(page)),
  /** Words of the document, compared as a quotation: without regard to line ends, ligatures, quotation marks, dashes and white space. */
  quote: Schema.optional(oneOrMore(Schema.NonEmptyString)),
  /** A heading over the answer, compared without regard to case. */
  heading: Schema.optional(oneOrMore(Schema.NonEmptyString)),
  /** Boxes around the answer; a hit's box on the page has to cover the middle of one. */
  boxes: Schema.optional(Schema.NonEmptyArray(Box)),
  /** The answer in words, for a reader; it is not compared. */
  answer: Schema.optional(Schema.String),
  /** Group in which the question is reported, too. */
  kind: Schema.optional(Schema.NonEmptyString)
}) {}

/**
 * A line of a file of questions cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class QuestionError extends Schema.TaggedError<QuestionError>("docsluice/QuestionError")("QuestionError", {
  file: Schema.String,
  /** 1-based; null for the file as a whole. */
  line: Schema.NullOr(Schema.Int),
  /** Name of the field, `pages` for instance; null for the line as a whole. */
  field: Schema.NullOr(Schema.String),
  /** What is wrong, and what was expected. */
  problem: Schema.String
}) {
  override get message(): string {
    const line = this.line === null ? "" : `, line ${this.line}`
    return `${this.file}${line}${this.field === null ? "" : `, ${this.field}`}: ${this.problem}`
  }
}

const fields = Object.keys(Question.fields)

const decodeQuestion = Schema.decodeUnknownEither(Question)

/** The first issue of a decoding error, in plain words, with the field that it is of. */
const issueOf = (error: ParseResult.ParseError): { readonly field: string | null; readonly problem: string } => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const at = issues.find(({ path }) => path.length > 0) ?? issues[0]
  const field = at?.path.map(String).join(".") ?? ""
  const others = issues.filter(({ path }) =>
    path
      .map(String)
      .join(".")
      .startsWith(field.split(".")[0] ?? "")
  )
  const problem = [...new Set(others.map(({ message }) => message))].join("; ")
  return { field: field === "" ? null : field, problem }
}

/** Most questions in one file. */
const most = 100_000

interface Row {
  readonly line: number
  readonly value: unknown
}

const questionOf = (file: string, { line, value }: Row): Either.Either<Question, QuestionError> => {
  if (value instanceof Question) return graded(file, line, value)
  if (!isRecord(value)) {
    return Either.left(new QuestionError({ file, line, field: null, problem: "expected an object of fields" }))
  }
  const unknown = Object.keys(value).find((name) => !fields.includes(name))
  if (unknown !== undefined) {
    const problem = `no field of a question; expected ${fields.join(", ")}${Suggestion.ending(unknown, fields)}`
    return Either.left(new QuestionError({ file, line, field: unknown, problem }))
  }
  return Either.flatMap(
    Either.mapLeft(decodeQuestion(value), (error) => new QuestionError({ file, line, ...issueOf(error) })),
    (question) => graded(file, line, question)
  )
}

/** The question, if each of its sources has a grade or none has. */
const graded = (file: string, line: number, question: Question): Either.Either<Question, QuestionError> => {
  const { grades, source } = question
  const sources = typeof source === "string" ? 1 : source.length
  if (grades === undefined || grades.length === sources) return Either.right(question)
  const problem = `expected as many grades as sources, ${sources}, got ${grades.length}`
  return Either.left(new QuestionError({ file, line, field: "grades", problem }))
}

const jsonRows = (file: string, text: string): Either.Either<ReadonlyArray<Row>, QuestionError> =>
  Either.all(
    text.split("\n").flatMap((each, at) =>
      each.trim() === ""
        ? []
        : [
            Either.mapBoth(parseJson(each), {
              onLeft: () => new QuestionError({ file, line: at + 1, field: null, problem: "the line is not JSON" }),
              onRight: (value): Row => ({ line: at + 1, value })
            })
          ]
    )
  )

/** Numbers of a cell: `3`, `3, 5`, `3;5` or `3-5`; null for another text. */
const numbers = (cell: string): ReadonlyArray<number> | null => {
  const parts = cell.split(/[,;\s]+/u).filter((part) => part !== "")
  const all = parts.map((part) => {
    const [, from = "", to = from] = /^(\d{1,7})(?:[-–](\d{1,7}))?$/u.exec(part) ?? []
    const [first, last] = [Number(from), Number(to)]
    return from === "" || last < first || last - first > 1000 ? null : Arr.range(first, last)
  })
  return all.includes(null) ? null : all.flatMap((range) => range ?? [])
}

/** A cell as the value of its field; an empty one is absent. */
const cellOf = (field: string, cell: string): unknown => {
  if (field === "pages") return numbers(cell) ?? cell
  if (field === "boxes" || field === "grades") return Either.getOrElse(parseJson(cell), () => cell)
  return field === "question" || field === "source" ? cell.trim() : cell
}

const csvRows = (file: string, text: string): Either.Either<ReadonlyArray<Row>, QuestionError> =>
  Either.map(
    Either.mapLeft(Csv.rows(text), ({ line, problem }) => new QuestionError({ file, line, field: null, problem })),
    ([head, ...rows]) => {
      const names = (head?.cells ?? []).map((name) => name.trim())
      return rows.map(({ cells, line }) => ({
        line,
        value: Object.fromEntries(
          cells.flatMap((cell, at): ReadonlyArray<readonly [string, unknown]> => {
            const name = names[at] ?? `column ${at + 1}`
            return cell.trim() === "" ? [] : [[name, cellOf(name, cell)]]
          })
        )
      }))
    }
  )

const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text)

/**
 * Reads a file of questions: CSV with a row of names at its head where the file's name ends in `.csv`, else JSON Lines. Fails at the first
 * line that cannot be used, and where there is no question.
 */
export const decode = (file: string, text: string): Either.Either<Arr.NonEmptyReadonlyArray<Question>, QuestionError> =>
  Either.gen(function* () {
    const rows = yield* (/\.csv$/iu.test(file) ? csvRows : jsonRows)(file, withoutMark(text))
    const whole = (problem: string) => new QuestionError({ file, line: null, field: null, problem })
    if (rows.length > most) return yield* Either.left(whole(`at most ${most} questions; got ${rows.length}`))
    const questions = yield* Either.all(rows.map((row) => questionOf(file, row)))
    return Arr.isNonEmptyReadonlyArray(questions)
      ? questions
      : yield* Either.left(whole("there is no question in it; a line has at least question and source"))
  })

/** Questions of a program; `file` names them in errors, and the first is of line 1. */
export const decodeAll = (
  file: string,
  values: ReadonlyArray<unknown>
): Either.Either<ReadonlyArray<Question>, QuestionError> =>
  Either.all(values.map((value, at) => questionOf(file, { line: at + 1, value })))

/** A question as a line of a file, without the line break. */
export const toLine: (question: Question) => string = Schema.encodeSync(Schema.parseJson(Question))
