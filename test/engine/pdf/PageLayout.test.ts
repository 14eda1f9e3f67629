import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, type Mark, ruledTable, text } from "./writePdf.ts"

const sentence = (topic: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `the ${topic} column has a line ${at} here`)

/** The parts in the order in which the text has them; those that it lacks are left out. */
const ordered = (markdown: string, parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts
    .filter((part) => markdown.includes(part))
    .toSorted((left, right) => markdown.indexOf(left) - markdown.indexOf(right))

const typesOf = async (marks: ReadonlyArray<Mark>): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { blocks } = await parse({ pages: [{ marks }] })
  return (blocks?.[0]?.items ?? []).map((block) => [block.type, block.content] as const)
}

describe("PageLayout", () => {
  it("reads two columns one after the other, below what spans both", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 150, ["A line above that goes over the whole width of both of the columns below, all of it."]),
            ...lines(72, 200, sentence("left", 12)),
            ...lines(330, 200, sentence("right", 12)),
            ...lines(72, 400, ["A line below that goes over the whole width of both of the columns above, all of it."])
          ]
        }
      ]
    })
    const parts = [
      "A line above",
      "left column has a line 0",
      "left column has a line 11",
      "right column has a line 0",
      "A line below"
    ]
    assert.deepStrictEqual(ordered(markdown, parts), parts)
  })

  it("joins the lines of a paragraph, and words divided at a line's end", async () => {
    const { markdown } = await parse({
      pages: [
        { marks: lines(72, 200, ["The first line ends in a hyphen, as in docu-", "ments of a long-", "Term kind."]) }
      ]
    })
    assert.strictEqual(markdown, "The first line ends in a hyphen, as in documents of a long-Term kind.")
  })

  it("keeps paragraphs apart by their distance", async () => {
    const { markdown } = await parse({
      pages: [{ marks: [...lines(72, 200, sentence("one", 3)), ...lines(72, 260, sentence("two", 3))] }]
    })
    assert.strictEqual(markdown, `${sentence("one", 3).join(" ")}\n\n${sentence("two", 3).join(" ")}`)
  })

  it("writes a ruled table with its cells in their columns, empty ones too", async () => {
    const rows = [
      ["Name", "Year", "Price"],
      ["Apple", "2019", "1.50"],
      ["Pear", "", "2|3"]
    ]
    const { markdown, blocks } = await parse({
      pages: [{ marks: [...lines(72, 120, sentence("text", 4)), ...ruledTable(72, 200, [120, 80, 80], rows)] }]
    })
    const table = [
      "| Name | Year | Price |",
      "| --- | --- | --- |",
      "| Apple | 2019 | 1.50 |",
      "| Pear |  | 2\\|3 |"
    ].join("\n")
    assert.isTrue(markdown.endsWith(table), markdown)
    const block = blocks?.[0]?.items.find((item) => item.type === "table")
    assert.strictEqual(block?.content, table)
  })

  it("writes a ruled sheet that is mostly empty as a table", async () => {
    const rows = [
      ["Time", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
      ...["08:00", "09:00", "10:00", "11:00", "12:00", "13:00"].map((time) => [time, "", "", "", "", ""]),
      ["14:00", "", "", "Choir", "", ""]
    ]
    const { markdown } = await parse({ pages: [{ marks: ruledTable(40, 100, [60, 80, 80, 80, 80, 80], rows) }] })
    const [head = "", , ...body] = markdown.split("\n")
    assert.match(head, /^\| Time \|(?: \w+ \|)+$/)
    assert.strictEqual(body.length, 7)
    assert.include(body.at(-1) ?? "", "Choir")
  })

  it("divides a row of cells in which the numbers of several rows stand", async () => {
    const names = ["Apple", "Pear", "Quince"]
    const numbers = ["12.5", "8.25", "0.75"]
    const marks = [
      ...ruledTable(72, 100, [120, 80, 80], [["Name", "Weight", "Price"]]),
      ...[72, 192, 272, 352].map((x): Mark => ({ type: "line", x0: x, y0: 118, x1: x, y1: 178 })),
      ...[118, 178].map((y): Mark => ({ type: "line", x0: 72, y0: y, x1: 352, y1: y })),
      ...[names, numbers, numbers.toReversed()].flatMap((cells, at) =>
        lines([76, 196, 276][at] ?? 0, 132, cells, {}, 16)
      )
    ]
    const { markdown } = await parse({ pages: [{ marks }] })
    assert.deepStrictEqual(markdown.split("\n").slice(2), [
      "| Apple | 12.5 | 0.75 |",
      "| Pear | 8.25 | 8.25 |",
      "| Quince | 0.75 | 12.5 |"
    ])
  })

  it("reads the columns of a body that is one cell of the rules by their alignment", async () => {
    const body = ["Apple", "Pear", "Quince"].map((name, at) => [name, `${at + 2}.5`, `${at * 7 + 10}`])
    const marks = [
      ...ruledTable(72, 100, [120, 80, 80], [["Name", "Weight", "Price"]]),
      ...[72, 352].map((x): Mark => ({ type: "line", x0: x, y0: 118, x1: x, y1: 178 })),
      { type: "line", x0: 72, y0: 178, x1: 352, y1: 178 } satisfies Mark,
      ...body.flatMap((row, down) => row.map((cell, at) => text([76, 196, 276][at] ?? 0, 132 + down * 16, cell)))
    ]
    const { markdown } = await parse({ pages: [{ marks }] })
    assert.deepStrictEqual(
      markdown.split("\n").slice(2),
      body.map((row) => `| ${row.join(" | ")} |`)
    )
  })

  it("recognises headings by size, and ranks them", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            text(72, 120, "The Title of It", { size: 24, font: "bold" }),
            text(72, 170, "First Section", { size: 16, font: "bold" }),
            ...lines(72, 200, sentence("one", 8)),
            text(72, 330, "A Part of It", { size: 13, font: "bold" }),
            ...lines(72, 360, sentence("two", 8)),
            text(72, 490, "Second Section", { size: 16, font: "bold" }),
            ...lines(72, 520, sentence("three", 8))
          ]
        }
      ]
    })
    assert.deepStrictEqual(
      markdown.split("\n").filter((line) => line.startsWith("#")),
      ["# The Title of It", "## First Section", "### A Part of It", "## Second Section"]
    )
  })

  it("reads a bold line of the body's size as a heading, but not a bold word at a paragraph's start", async () => {
    const types = await typesOf([
      text(72, 180, "Materials and Methods", { font: "bold" }),
      ...lines(72, 200, sentence("one", 8)),
      text(72, 330, "Note:", { font: "bold" }),
      text(105, 330, "this text goes on behind the bold word at its start"),
      ...lines(72, 342, sentence("two", 8))
    ])
    assert.deepStrictEqual(types[0], ["section_header", "# Materials and Methods"])
    assert.deepStrictEqual(
      types.slice(1).map(([type]) => type),
      ["text", "text"]
    )
  })

  it("nests the items of a list and writes every bullet as a dash", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 150, sentence("text", 3)),
            text(80, 210, "\x95 first thing to do"),
            text(80, 222, "\x95 second thing to do"),
            text(100, 234, "- inner thing to do"),
            text(100, 246, "- other inner thing"),
            text(80, 258, "\x95 third thing to do")
          ]
        }
      ]
    })
    assert.isTrue(
      markdown.endsWith(
        [
          "- first thing to do",
          "- second thing to do",
          "  - inner thing to do",
          "  - other inner thing",
          "- third thing to do"
        ].join("\n")
      ),
      markdown
    )
  })

  it("keeps a paragraph within the list item that it stands under, and the numbers of the list", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            text(72, 100, "1. The first item of the list"),
            text(86, 130, "A paragraph that belongs to the first item."),
            text(72, 160, "2. The second item of the list"),
            text(72, 200, "A paragraph after the list.")
          ]
        }
      ]
    })
    assert.strictEqual(
      markdown,
      [
        "1. The first item of the list",
        "   A paragraph that belongs to the first item.",
        "2. The second item of the list",
        "A paragraph after the list."
      ]
        .join("\n\n")
        .replace("item.\n\n2", "item.\n2")
    )
  })

  it("makes a word whole that is divided between two lines of a title", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 100, ["A title with a word that is divi-", "ded between its lines"], { size: 20 }, 24),
            ...lines(72, 170, sentence("text", 20))
          ]
        }
      ]
    })
    assert.isTrue(markdown.startsWith("# A title with a word that is divided between its lines\n"), markdown)
  })

  it("keeps a title that later pages repeat as their running header, in another size or in the same", async () => {
    const body = (page: number) =>
      lines(
        72,
        120,
        Array.from({ length: 6 }, (_, at) => `Page ${page} has line ${at} of its own text here`)
      )
    const header = text(72, 40, "Annual Report", { size: 8 })
    const { markdown } = await parse({
      pages: [
        { marks: [text(72, 60, "Annual Report", { size: 22 }), ...body(1)] },
        { marks: [header, ...body(2)] },
        { marks: [header, ...body(3)] }
      ]
    })
    assert.deepStrictEqual(markdown.match(/.*Annual Report.*/g), ["# Annual Report"])
    const repeated = text(72, 50, "Annual Report", { size: 22 })
    const again = await parse({ pages: [1, 2, 3].map((page) => ({ marks: [repeated, ...body(page)] })) })
    assert.deepStrictEqual(again.markdown.match(/.*Annual Report.*/g), ["# Annual Report"])
  })

  it("keeps running headers, footers and page numbers as blocks, out of the Markdown", async () => {
    const pages = [1, 2, 3].map((page) => ({
      marks: [
        text(72, 40, `Annual Report ${2000 + page}`),
        ...lines(72, 200, sentence(`page${page}`, 6)),
        text(72, 750, "Confidential, not for the public"),
        text(530, 770, `${page}`)
      ]
    }))
    const { markdown, blocks } = await parse({ pages })
    assert.notInclude(markdown, "Annual")
    assert.notInclude(markdown, "Confidential")
    for (const page of blocks ?? []) {
      assert.deepStrictEqual(
        page.items.map((block) => block.type),
        ["page_header", "text", "page_footer", "page_number"]
      )
      assert.isNull(page.items[0]?.markdownSpan)
    }
  })

  it("keeps a line at the top that stands on one page only", async () => {
    const { markdown } = await parse({
      pages: [
        { marks: [text(72, 40, "Only on this page"), ...lines(72, 200, sentence("one", 5))] },
        { marks: lines(72, 200, sentence("two", 5)) }
      ]
    })
    assert.include(markdown, "Only on this page")
  })

  it("writes a link annotation as a link around its words", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            text(72, 200, "Read the manual first, then start."),
            { type: "link", x0: 96, y0: 190, x1: 152, y1: 203, uri: "https://example.org/a(b)" }
          ]
        }
      ]
    })
    assert.strictEqual(markdown, "Read [the manual](https://example.org/a%28b%29) first, then start.")
  })

  it("keeps text that is turned against the rest of the page", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [...lines(120, 200, sentence("one", 12)), text(90, 330, "turned words beside it", { rotate: 90 })]
        }
      ]
    })
    assert.include(markdown, "turned words beside it")
  })

  it("reads turned words whole, and takes a stamp in a side margin for furniture", async () => {
    const stamp = "arXiv:2103.15348v2 [cs.CV] 21 Jun 2021"
    const label = "Limitation Index of 500 households"
    const { blocks, markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(130, 200, sentence("one", 12)),
            text(100, 420, label, { rotate: 90, font: "bold" }),
            text(32, 560, stamp, { rotate: 90, size: 20 })
          ]
        }
      ]
    })
    assert.include(markdown, label)
    assert.notInclude(markdown, "arXiv")
    assert.deepStrictEqual(
      blocks?.flatMap(({ items }) => items.filter(({ type }) => type === "page_footer").map(({ content }) => content)),
      [stamp]
    )
  })

  it("recognises a caption next to a table or a figure", async () => {
    const types = await typesOf([
      ...lines(72, 120, sentence("text", 5)),
      text(72, 200, "Table 1: Prices of the fruit"),
      ...ruledTable(
        72,
        210,
        [120, 80],
        [
          ["Name", "Price"],
          ["Apple", "1.50"],
          ["Pear", "2.50"]
        ]
      )
    ])
    assert.deepStrictEqual(
      types.map(([type]) => type),
      ["text", "caption", "table"]
    )
  })

  it("escapes text that would be Markdown", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            text(72, 150, "# no heading, 3 * 4 * 5 and <b> and snake_case and _under_"),
            ...lines(72, 200, sentence("text", 4))
          ]
        }
      ]
    })
    assert.isTrue(
      markdown.startsWith("\\# no heading, 3 \\* 4 \\* 5 and \\<b> and snake_case and \\_under\\_\n\n"),
      markdown
    )
  })

  it("does not read a bold line that starts in lower case as a heading", async () => {
    const types = await typesOf([
      ...lines(72, 150, sentence("one", 6)),
      text(72, 260, "goes on with what was amended", { font: "bold" }),
      ...lines(72, 290, sentence("two", 6))
    ])
    assert.deepStrictEqual(
      types.map(([type]) => type),
      ["text", "text", "text"]
    )
  })

  it("joins the lines of a large title", async () => {
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 120, ["A Title That Is Too Long", "For One Line Of Its Size"], { size: 22, font: "bold" }, 26),
            ...lines(72, 200, sentence("text", 10))
          ]
        }
      ]
    })
    assert.isTrue(markdown.startsWith("# A Title That Is Too Long For One Line Of Its Size\n\n"), markdown)
  })

  it("removes line numbers in the margin from the text", async () => {
    const pages = [1, 2].map((page) => ({
      marks: Array.from({ length: 20 }, (_, at) => [
        text(50, 120 + at * 24, `${at + 1}`),
        text(80, 120 + at * 24, `page ${page} has the words of line number ${at + 1} in it`)
      ]).flat()
    }))
    const short = {
      marks: [text(50, 120, "41"), text(80, 120, "D-Star", { size: 16 }), text(50, 160, "43"), text(80, 160, "more")]
    }
    const { markdown } = await parse({ pages: [...pages, short] })
    assert.include(markdown, "page 1 has the words of line number 1 in it page 1 has the words of line number 2 in it")
    assert.notMatch(markdown, /in it \d|4[13]/)
  })

  it("keeps a first column of numbers that is part of a table", async () => {
    const rows = Array.from({ length: 12 }, (_, at) => [`${at + 1}`, `name ${at}`, `${at * 37}`])
    const { markdown } = await parse({ pages: [1, 2].map(() => ({ marks: ruledTable(72, 120, [40, 120, 80], rows) })) })
    assert.include(markdown, "| 12 | name 11 | 407 |")
  })
})
