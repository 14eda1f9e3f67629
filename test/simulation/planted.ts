/** Defects that a test plants: each a patch of the source, and what it breaks. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { recipe } from "../fixtures/bundled.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = fileURLToPath(new URL("planted", import.meta.url))

export interface Defect {
  readonly name: string
  /** In words. */
  readonly text: string
  /** Names of invariants, one of which the first seed that finds it violates. */
  readonly violates: ReadonlyArray<string>
  /** The seed that found it when it was planted; a change of anything may make it another one. */
  readonly seed: number
  /** True for a seed of a machine with its state in a folder. */
  readonly onDisk: boolean
}

/** The defects, by their names. */
export const defects: ReadonlyArray<Defect> = readdirSync(folder)
  .toSorted()
  .map((file) => {
    const [text = "", violates = "", seed = ""] = readFileSync(join(folder, file), "utf8").split("\n")
    return {
      name: file.replace(/\.patch$/u, ""),
      text,
      violates: violates.replace("Violates: ", "").split(" | "),
      seed: Number(/\d+/u.exec(seed)?.[0]),
      onDisk: seed.endsWith("on disk")
    }
  })

/** Sources with the patch applied, by their paths; fails for one that does not fit any more. */
export const patched = ({ name }: Defect): ReadonlyMap<string, string> => {
  const patch = join(folder, `${name}.patch`)
  const work = mkdtempSync(join(tmpdir(), "docsluice-planted-"))
  try {
    const files = [...readFileSync(patch, "utf8").matchAll(/^\+\+\+ b\/(\S+)$/gmu)].flatMap(([, file]) => file ?? [])
    return new Map(
      files.map((file) => {
        const made = join(work, "made.ts")
        execFileSync("patch", ["--quiet", "--fuzz=1", "-o", made, join(root, file), patch])
        return [join(root, file), readFileSync(made, "utf8")]
      })
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The packages that are used, which are the same with every defect: five sixths of a bundle. */
const packages: { readonly dependencies: object; readonly devDependencies: object } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

/** The program of `main.ts` in one file, with the defect. */
export const bundledWith = async (defect: Defect): Promise<string> => {
  const sources = patched(defect)
  const { file, options } = recipe(new URL("main.ts", import.meta.url))
  await build({
    ...options,
    external: [...Object.keys(packages.dependencies), ...Object.keys(packages.devDependencies)],
    plugins: [
      {
        name: "planted",
        setup: (builder) => {
          builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = sources.get(path)
            return contents === undefined ? undefined : { contents, loader: "ts" }
          })
        }
      }
    ]
  })
  return file
}
