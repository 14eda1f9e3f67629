import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { decode, toLine } from "../../../src/internal/evaluation/question.ts"

const problem = (file: string, text: string): string =>
  Either.match(decode(file, text), { onLeft: ({ message }) => message, onRight: () => "" })

const read = (file: string, text: string) =>
  Either.getOrThrow(decode(file, text)).map((question) => JSON.parse(toLine(question)))

describe("questions", () => {
  it("are read from JSON Lines, with one value or several where several may be right", () => {
    const all = [
      { question: "When?", source: "a.pdf", pages: 3 },
      { question: "Who?", source: ["a.pdf", "b.pdf"], grades: [2, 1], kind: "names" },
      {
        question: "What?",
        source: "a.pdf",
        quote: ["in May", "in June"],
        heading: "Calibration",
        answer: "May",
        boxes: [{ page: 3, bbox: [0.1, 0.2, 0.3, 0.4] }]
      }
    ]
    assert.deepStrictEqual(read("q.jsonl", `\uFEFF${all.map((one) => JSON.stringify(one)).join("\r\n\n")}\n`), all)
  })

  it("are read from CSV, cells with commas, line breaks and quotation marks included", () => {
    const text =
      '\uFEFFquestion,source,pages,quote,kind\r\n"When, exactly?",a.pdf,"3, 5-7","in ""May""\nand June",\r\nWho?,b.pdf,2,,names\r\n'
    assert.deepStrictEqual(read("q.CSV", text), [
      { question: "When, exactly?", source: "a.pdf", pages: [3, 5, 6, 7], quote: 'in "May"\nand June' },
      { question: "Who?", source: "b.pdf", pages: [2], kind: "names" }
    ])
  })

  it.each([
    ["q.jsonl", "\n{question}", /^q\.jsonl, line 2: the line is not JSON$/],
    ["q.jsonl", "[1]", /^q\.jsonl, line 1: expected an object/],
    ["q.jsonl", '{"question":"a"}', /^q\.jsonl, line 1, source: is missing/],
    ["q.jsonl", '{"question":"a","source":"b","pages":[0]}', /^q\.jsonl, line 1, pages(\.0)?: .*positive/],
    [
      "q.jsonl",
      '{"question":"a","source":"b","page":3}',
      /line 1, page: no field of a question; .*did you mean pages\?/
    ],
    [
      "q.jsonl",
      '{"question":"a","source":["b","c"],"grades":[1]}',
      /line 1, grades: expected as many grades as sources, 2, got 1/
    ],
    ["q.csv", "question,source,pages\na,b,iii\n", /^q\.csv, line 2, pages: /],
    ["q.csv", 'question,source\na,b\n"c,d\n', /^q\.csv, line 3: a quotation mark is not closed/],
    ["q.csv", "question,source\na,b,c\n", /^q\.csv, line 2, column 3: no field/],
    ["q.csv", "", /^q\.csv: there is no question in it/],
    ["q.jsonl", " \n", /^q\.jsonl: there is no question in it/]
  ])("of %s that cannot be used are refused with file, line and field: %j", (file, text, message) => {
    assert.match(problem(file, text), message)
  })
})
