import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import fg from "fast-glob"
import { expect, it } from "vitest"

const out = "dist/docs"

/** Every ```ts fence of a page or of doc comments. */
const fences = (path: string): ReadonlyArray<string> =>
  [...readFileSync(path, "utf8").matchAll(/^(?: *\* ?)?```ts\n([\s\S]*?)^(?: *\* ?)?```/gm)].map((match) =>
    (match[1] ?? "").replace(/^ *\* ?/gm, "")
  )

it("every example in the README and in doc comments type-checks", { timeout: 120_000 }, () => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  for (const path of fg.sync(["*.md", "src/**/*.ts", "sinks/**/*.ts"])) {
    fences(path).forEach((code, index) =>
      writeFileSync(`${out}/${path.replaceAll("/", "_").replace(/\.\w+$/, "")}_${index}.ts`, `${code}\nexport {}\n`)
    )
  }
  writeFileSync(
    `${out}/tsconfig.json`,
    JSON.stringify({
      extends: "../../tsconfig.json",
      include: ["."],
      references: [],
      compilerOptions: {
        noEmit: true,
        composite: false,
        noUnusedLocals: false,
        customConditions: ["docsluice:source"],
        allowImportingTsExtensions: true
      }
    })
  )
  const compiler = execFileSync("node_modules/.bin/effect-tsgo", ["get-exe-path"], { encoding: "utf8" }).trim()
  const { stdout, status } = spawnSync(compiler, ["-p", out], { encoding: "utf8" })
  expect(stdout).toBe("")
  expect(status).toBe(0)
})

it("the README's first program has at most 14 lines, and the one without Effect at most 9", () => {
  const lengths = fences("README.md").map((code) => code.split("\n").filter((line) => line.trim() !== "").length)
  expect(lengths[0]).toBeLessThanOrEqual(14)
  expect(lengths[1]).toBeLessThanOrEqual(9)
})
