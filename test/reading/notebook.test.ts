import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse, pathsOf } from "./reading.ts"

const notebook = {
  nbformat: 4,
  metadata: { kernelspec: { name: "python3", language: "python" } },
  cells: [
    { cell_type: "markdown", source: ["# Rain in *Lund*\n", "\n", "Some words."] },
    {
      cell_type: "code",
      source: ["print('```')\n", "1 + 1"],
      outputs: [
        { output_type: "stream", name: "stdout", text: ["```\n"] },
        { output_type: "execute_result", data: { "text/html": "<b>2</b>", "text/plain": ["2"] } },
        { output_type: "display_data", data: { "image/png": "aGVsbG8=" } }
      ]
    },
    { cell_type: "markdown", source: "```\nnever closed" },
    { cell_type: "markdown", source: "## Months" },
    {
      cell_type: "code",
      source: "x",
      outputs: [
        { output_type: "error", ename: "NameError", evalue: "x", traceback: ["\u001b[31mNameError\u001b[0m: x"] }
      ]
    }
  ]
}

describe("a Jupyter notebook", () => {
  it.effect("is its cells and text outputs, without pictures and terminal colours", () =>
    Effect.gen(function* () {
      const { markdown, metadata } = yield* parse("a.ipynb", JSON.stringify(notebook))
      assert.strictEqual(
        markdown,
        [
          "# Rain in *Lund*\n\nSome words.",
          "````python\nprint('```')\n1 + 1\n````",
          "````text\n```\n````",
          "```text\n2\n```",
          "```\nnever closed",
          "## Months",
          "```python\nx\n```",
          "```text\nNameError: x\n```"
        ].join("\n\n")
      )
      assert.deepInclude(metadata, { title: "Rain in Lund", programmingLanguage: "python" })
    })
  )

  it.effect("shows the text of a widget, formulas, and of a progress bar its last state", () =>
    Effect.gen(function* () {
      const outputs = [
        { data: { "application/vnd.jupyter.widget-view+json": { model_id: "1" }, "text/plain": "IntSlider(value=7)" } },
        { data: { "text/latex": ["$x^2$"] } },
        { name: "stderr", text: ["  0%|   |\r 50%|#  |\r100%|## |\r\n", "done\r\n"] },
        { data: { "text/plain": { not: "text" } } }
      ]
      const cells = [
        {
          cell_type: "markdown",
          source: "![a](attachment:a.png)",
          attachments: { "a.png": { "image/png": "aGVsbG8=" } }
        },
        { cell_type: "code", source: "x", outputs }
      ]
      const { markdown, warnings } = yield* parse("a.ipynb", JSON.stringify({ nbformat: 4, metadata: {}, cells }))
      assert.deepEqual(warnings, [])
      assert.strictEqual(
        markdown,
        "![a](attachment:a.png)\n\n```\nx\n```\n\n```text\nIntSlider(value=7)\n```\n\n```text\n$x^2$\n```\n\n```text\n100%|## |\ndone\n```"
      )
    })
  )

  it.effect("ends an open fence with its cell", () =>
    Effect.gen(function* () {
      const paths = yield* pathsOf("a.ipynb", JSON.stringify(notebook), { maxTokens: 24, overlapTokens: 0 })
      assert.deepEqual([...new Set(paths.map(([path]) => path))], ["Rain in Lund", "Rain in Lund > Months"])
    })
  )

  it.effect("is read in its third version too, and as text when it is none", () =>
    Effect.gen(function* () {
      const old = {
        nbformat: 3,
        worksheets: [
          {
            cells: [
              { cell_type: "heading", level: 2, source: "Old" },
              { cell_type: "code", language: "python", input: "1", outputs: [{ text: ["one"] }] }
            ]
          }
        ]
      }
      assert.strictEqual(
        (yield* parse("a.ipynb", JSON.stringify(old))).markdown,
        "## Old\n\n```python\n1\n```\n\n```text\none\n```"
      )
      const none = yield* parse("a.ipynb", "{ not a notebook")
      assert.strictEqual(none.markdown, "{ not a notebook")
      assert.match(none.warnings.join(), /no Jupyter notebook/u)
    })
  )
})
