import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { promisify } from "node:util"
import fg from "fast-glob"
import { expect, it } from "vitest"
import { plainAsync, withEffect } from "../src/view/code/snippets.ts"
import { wishes } from "./fixtures/pageWishes.ts"

const run = promisify(execFile)

const out = "dist/docs"

/** Pages and modules with examples. */
const sources = fg.sync(["*.md", "docs/**/*.md", "src/**/*.ts", "sinks/**/*.ts"], { ignore: ["docs/site/**"] })

/** Every ```ts fence of a page or of doc comments. */
const fences = (path: string): ReadonlyArray<string> =>
  [...readFileSync(path, "utf8").matchAll(/^(?: *\* ?)?```ts\n([\s\S]*?)^(?: *\* ?)?```/gm)].map((match) =>
    (match[1] ?? "").replace(/^ *\* ?/gm, "")
  )

it("every example in the README, in the guides and in doc comments type-checks", async () => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  for (const path of sources) {
    fences(path).forEach((code, index) =>
      writeFileSync(`${out}/${path.replaceAll("/", "_").replace(/\.\w+$/, "")}_${index}.ts`, `${code}\nexport {}\n`)
    )
  }
  for (const [index, wish] of wishes.entries()) {
    writeFileSync(`${out}/page_effect_${index}.ts`, withEffect(wish))
    writeFileSync(`${out}/page_async_${index}.ts`, plainAsync(wish))
  }
  writeFileSync(
    `${out}/tsconfig.json`,
    JSON.stringify({
      extends: "../../tsconfig.json",
      // Declarations of packages without types belong to the program that imports them.
      include: [".", "../../src/**/*.d.ts"],
      references: [],
      compilerOptions: {
        noEmit: true,
        composite: false,
        noUnusedLocals: false,
        // Node strips the types of a program, and no more.
        erasableSyntaxOnly: true,
        customConditions: ["docsluice:source"],
        allowImportingTsExtensions: true
      }
    })
  )
  const { stdout: compiler } = await run("node_modules/.bin/effect-tsgo", ["get-exe-path"])
  // A failure of the compiler carries its output.
  const errors = await run(compiler.trim(), ["-p", out]).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout
  )
  expect(errors).toBe("")
})

it("no example has `using`, which Node 20 and 22 cannot read where nothing but types is taken out of it", () => {
  const programs = [
    ...sources.flatMap((path) => fences(path).map((code) => [path, code] as const)),
    ...wishes.flatMap((wish) => [withEffect(wish), plainAsync(wish)].map((code) => ["the page", code] as const)),
    ...fg.sync("examples/**/*.ts").map((path) => [path, readFileSync(path, "utf8")] as const)
  ]
  expect(programs.filter(([, code]) => /^\s*(?:await )?using \w+ =/mu.test(code)).map(([path]) => path)).toEqual([])
})

it("the README links to addresses, to its own sections and to files of the package, for it is also the package's page", () => {
  const readme = readFileSync("README.md", "utf8")
  const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(readFileSync("package.json", "utf8"))
  const headings = Array.from(readme.matchAll(/^#+ (.*)$/gm), ([, title = ""]) => title.toLowerCase())
  const places = new Set([
    ...files,
    ...headings.map((title) => `#${title.replace(/[^\w -]/g, "").replaceAll(" ", "-")}`)
  ])
  const links = Array.from(readme.matchAll(/\]\(([^)]+)\)/g), ([, to = ""]) => to)
  expect(links.filter((to) => !URL.canParse(to) && !places.has(to))).toEqual([])
})

it("the first programs of the README and of the guide to programs have at most 14 lines with Effect, and at most 9 without", () => {
  const lengths = (path: string) =>
    fences(path).map((code) => code.split("\n").filter((line) => line.trim() !== "").length)
  const [promises, effect] = lengths("README.md")
  const [handle, layer, run, promise] = lengths("docs/programs.md")
  for (const count of [promises, handle, promise]) expect(count).toBeLessThanOrEqual(9)
  for (const count of [effect, layer, run]) expect(count).toBeLessThanOrEqual(14)
})

/** Names of packages that are installed by commands of a page. */
const installed = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/\bnpm i(?:nstall)? ([^`\n]+)/gu)].flatMap(([, names = ""]) =>
      names.split(" ").map((name) => name.replace(/(?<=.)@.*$/u, ""))
    )
  )

it("every page installs what its programs import", () => {
  const lacking = fg.sync(["README.md", "docs/*.md"]).flatMap((path) => {
    const names = installed(readFileSync(path, "utf8"))
    const imports = fences(path)
      .flatMap((code) => Array.from(code.matchAll(/\bfrom "((?:@[\w-]+\/)?[\w.-]+)/gu)))
      .flatMap(([, name = ""]) => (name.startsWith(".") ? [] : [name]))
    const missing = new Set(imports.filter((name) => name !== "docsluice" && name !== "node" && !names.has(name)))
    return [...missing].map((name) => `${path}: ${name}`)
  })
  expect(lacking).toEqual([])
})
