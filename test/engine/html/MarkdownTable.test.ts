import { describe, it } from "@effect/vitest"
import { expectAll } from "./page.ts"

const table = (...rows: ReadonlyArray<string>): string => rows.join("\n")

describe("tables of a page", () => {
  it.effect("have a first row of names only where all its cells are headers", () =>
    expectAll([
      [
        "<table><tr><th>Weight</th><td>5 kg</td></tr><tr><th>Width</th><td>7 cm</td></tr></table>",
        table("|  |  |", "| --- | --- |", "| Weight | 5 kg |", "| Width | 7 cm |")
      ],
      [
        "<table><tr><td></td><th>A</th><th>B</th></tr><tr><th>x</th><td>1</td><td>2</td></tr></table>",
        table("|  | A | B |", "| --- | --- | --- |", "| x | 1 | 2 |")
      ]
    ])
  )

  it.effect("begin with their head and caption, wherever these stand", () =>
    expectAll([
      [
        "<table><tbody><tr><td>1</td><td>2</td></tr></tbody><thead><tr><th>A</th><th>B</th></tr></thead><caption>Cap</caption></table>",
        table("Cap", "", "| A | B |", "| --- | --- |", "| 1 | 2 |")
      ]
    ])
  )

  it.effect(
    "are HTML where a cell stands beside several rows or names several columns, which Markdown cannot say",
    () =>
      expectAll([
        [
          "<table><thead><tr><th rowspan=2>Name</th><th colspan=2>Sales</th></tr><tr><th>2023</th><th>2024</th></tr></thead><tbody><tr><td><b>A</b> &amp; <a href='https://x.example/'>B</a></td><td>1<br>2</td><td>3</td></tr></tbody></table>",
          table(
            "<table>",
            "<thead>",
            '<tr><th rowspan="2">Name</th><th colspan="2">Sales</th></tr>',
            "<tr><th>2023</th><th>2024</th></tr>",
            "</thead>",
            "<tbody>",
            '<tr><td><strong>A</strong> &amp; <a href="https://x.example/">B</a></td><td>1<br>2</td><td>3</td></tr>',
            "</tbody>",
            "</table>"
          )
        ],
        [
          "<table><tr><td rowspan=2>B</td><td><p>one</p><p>two</p></td></tr><tr><td>a\n\nb</td></tr></table>",
          table(
            "<table>",
            "<tbody>",
            '<tr><td rowspan="2">B</td><td>one<br>two</td></tr>',
            "<tr><td>a b</td></tr>",
            "</tbody>",
            "</table>"
          )
        ]
      ])
  )

  it.effect("stay Markdown with a title across all columns, or a sum below several of them", () =>
    expectAll([
      [
        "<table><tr><th colspan=2>Title</th></tr><tr><td>a</td><td>1</td></tr></table>",
        table("| Title |  |", "| --- | --- |", "| a | 1 |")
      ],
      [
        "<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan=2>Sum</td><td>1</td></tr></table>",
        table("| A | B | C |", "| --- | --- | --- |", "| Sum |  | 1 |")
      ]
    ])
  )

  it.effect("that place the parts of a page are their contents, data with headings in cells stay tables", () =>
    expectAll([
      ["<table><tr><td><p>a</p><p>b</p><p>c</p></td><td><p>d</p></td></tr></table>", "a\n\nb\n\nc\n\nd"],
      ["<table><tr><td><form>Search</form></td><td><p>text</p></td></tr></table>", "Search\n\ntext"],
      ["<table><tr><td><h2>a</h2></td><td>b</td></tr></table>", table("|  |  |", "| --- | --- |", "| **a** | b |")],
      [
        "<table><caption>C</caption><tr><td><p>a</p><p>b</p><p>c</p></td><td>d</td></tr></table>",
        table("C", "", "|  |  |", "| --- | --- |", "| a<br>b<br>c | d |")
      ]
    ])
  )
})
