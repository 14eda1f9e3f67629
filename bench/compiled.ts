import { mkdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * A benchmark's file as one that Node runs by itself: the loader of TypeScript takes 50 MB of memory and some of the CPU time of each
 * process, which no user has. Packages are not part of it, this one included.
 */
export const compiled = async (url: string): Promise<string> => {
  // Only the process that starts the others needs it.
  const { build } = await import("esbuild")
  const source = fileURLToPath(url)
  const folder = join(import.meta.dirname, "../dist/bench")
  const outfile = join(folder, `${basename(source, ".ts")}.mjs`)
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20"
  })
  return outfile
}
