/** Questions of the bench, each with the rule for a right hit, and the texts that some of them are about. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Hit } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import { Schema } from "effect"

/** Languages of the texts of our own, see `facts.LANGUAGE.jsonl`. */
export const languages = ["en", "de", "fr", "zh", "ja", "ko", "th"] as const

export interface Question {
  /** Group in which it is reported: `en`, or `headings en`. */
  readonly group: string
  /** Half of the questions: parameters are chosen on one and reported on the other. */
  readonly half: "chosen" | "heldOut"
  readonly question: string
  readonly isRight: (chunk: Hit["chunk"]) => boolean
}

const halfOf = (key: string): Question["half"] =>
  (createHash("sha256").update(key).digest()[0] ?? 0) % 2 === 0 ? "chosen" : "heldOut"

const lines = (file: string): ReadonlyArray<string> =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")

const Fact = Schema.parseJson(
  Schema.Struct({ topic: Schema.String, text: Schema.String, questions: Schema.Array(Schema.String) })
)

const sourceOf = (language: string, topic: string): string => `own/${language}/${topic}`

/**
 * The texts of our own as chunks, in seven languages. A source is named by a number, so that it holds no word of a question.
 *
 * Each tells of the same twenty subjects; the other subjects of a language, and all texts of the others, are wrong hits.
 */
export const facts: ReadonlyArray<DocumentChunk> = languages.flatMap((language) =>
  lines(`facts.${language}.jsonl`).map((line) => {
    const { text, topic } = Schema.decodeSync(Fact)(line)
    const source = createHash("sha256").update(sourceOf(language, topic)).digest("hex").slice(0, 12)
    return Schema.decodeUnknownSync(DocumentChunk)({
      id: `${source}-0`,
      documentId: source,
      source,
      index: 0,
      text,
      embedText: text,
      tokens: text.length,
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
  })
)

/** Two questions a text: in other words, in other inflections. All questions of a subject are in the same half, in all languages. */
export const aboutFacts: ReadonlyArray<Question> = languages.flatMap((language) =>
  lines(`facts.${language}.jsonl`).flatMap((line) => {
    const { questions, text, topic } = Schema.decodeSync(Fact)(line)
    return questions.map((question) => ({
      group: language,
      half: halfOf(topic),
      question,
      isRight: (chunk: Hit["chunk"]) => chunk.text === text
    }))
  })
)

const Written = Schema.parseJson(
  Schema.Struct({
    question: Schema.String,
    /** Paths below the folder; copies of one document are all listed. */
    sources: Schema.Array(Schema.String),
    /** A regular expression that the text of a right hit matches. */
    answer: Schema.String
  })
)

/** Questions that were written while reading the documents of the folder. */
export const whileReading: ReadonlyArray<Question> = lines("questions.jsonl").map((line) => {
  const { answer, question, sources } = Schema.decodeSync(Written)(line)
  const right = new RegExp(answer, "su")
  return {
    group: "while reading",
    half: halfOf(question),
    question,
    isRight: ({ source, text }: Hit["chunk"]) => sources.includes(source) && right.test(text)
  }
})

/** Questions of seven languages that no text answers. */
export const unanswerable: ReadonlyArray<{ readonly question: string; readonly half: Question["half"] }> = lines(
  "unanswerable.txt"
).map((question) => ({ question, half: halfOf(question) }))

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []

/** Most questions made of headings. */
const mostHeadings = 300

/** Lines that are headings in Markdown, which chunks of the folder are stripped of. */
const headingLines = /^#{1,6} .*$/gmu

const bodyOf = (text: string): string => text.replaceAll(headingLines, "").trim()

/** The chunk without headings, so that a heading is no copy of what is stored. */
export const withoutHeadings = (chunk: DocumentChunk): DocumentChunk => {
  const body = bodyOf(chunk.text)
  const text = body === "" ? chunk.text : body
  return new DocumentChunk({ ...chunk, text, embedText: text, headingPath: [] })
}

/**
 * Headings of the documents as questions, made by a rule: a heading of two to twelve words that occurs in one document only and
 * whose words do not all stand in one line of its section. A hit is right if it is of that section.
 */
export const headings = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<Question> => {
  const sections = new Map<string, Array<DocumentChunk>>()
  for (const chunk of chunks) {
    const heading = chunk.headingPath.at(-1)?.text
    if (heading === undefined) continue
    const found = sections.get(heading)
    if (found === undefined) sections.set(heading, [chunk])
    else found.push(chunk)
  }
  return [...sections]
    .filter(([heading, section]) => {
      const said = words(heading)
      const copied = section
        .flatMap(({ text }) => bodyOf(text).toLowerCase().split("\n"))
        .some((line) => said.every((word) => line.includes(word)))
      return said.length > 1 && said.length < 13 && new Set(section.map(({ source }) => source)).size === 1 && !copied
    })
    .toSorted(([left], [right]) => halfKey(left).localeCompare(halfKey(right)))
    .slice(0, mostHeadings)
    .map(([heading, section]) => {
      const ids = new Set<string>(section.map(({ id }) => id))
      return {
        group: "headings",
        half: halfOf(heading),
        question: heading,
        isRight: ({ id }: Hit["chunk"]) => ids.has(id)
      }
    })
}

const halfKey = (text: string): string => createHash("sha256").update(`order ${text}`).digest("hex")
