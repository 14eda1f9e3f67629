import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const program = fileURLToPath(new URL("../fixtures/transformers.ts", import.meta.url))

const printed = (how: string) =>
  Effect.map(
    Effect.promise(() =>
      promisify(execFile)(process.execPath, ["--conditions=docsluice:source", "--import=tsx", program, how])
    ),
    ({ stdout }) =>
      stdout
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
  )

it.effect(
  "embeds with the installed package, in batches, by pooling, precision and prefix, and says why a model is not loaded",
  () =>
    Effect.map(printed("installed"), (lines) =>
      assert.deepStrictEqual(lines, [
        {
          task: "feature-extraction",
          model: "small",
          options: {},
          pooling: "mean",
          normalize: false,
          texts: ["a", "bb"]
        },
        { task: "feature-extraction", model: "small", options: {}, pooling: "mean", normalize: false, texts: ["ccc"] },
        [
          [1, 0],
          [2, 0],
          [3, 0]
        ],
        {
          task: "feature-extraction",
          model: "small",
          options: { dtype: "q8" },
          pooling: "cls",
          normalize: false,
          texts: ["p: a", "p: bb", "p: ccc"]
        },
        [
          [1, 0],
          [1, 0],
          [1, 0]
        ],
        "unreachable: fetch failed (chunks a.md-0, a.md-1, a.md-2)"
      ])
    )
)

it.effect(
  "fails before anything is embedded where the package is not installed, with the command that installs it",
  () =>
    Effect.map(printed("missing"), (lines) => {
      assert.lengthOf(lines, 3)
      assert.strictEqual(
        lines[0],
        "small: it needs the package @huggingface/transformers, which is not installed; run: npm install @huggingface/transformers"
      )
    })
)
