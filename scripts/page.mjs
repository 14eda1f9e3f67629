/**
 * `node scripts/page.mjs [FOLDER]` writes the page of the server into a folder: its program, its style sheet, its HTML, its samples, and the licences of
 * the packages that the program holds. Fails when a browser has to load more than it may.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build, transform } from "esbuild"
import { root } from "./builtIn.mjs"
import { record } from "./components.mjs"

/** Most bytes of the page's files together, as they are and as a server compresses them. */
const most = { bytes: 600_000, compressed: 150_000 }

const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: "esm",
  target: ["chrome111", "firefox113", "safari16.4"],
  // Without "browser": a package would decode entities by means of `innerHTML` under it.
  platform: "neutral",
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning"
}

/** The text of a module that exports a style sheet. */
const exported = async (file, name) => {
  const { outputFiles } = await build({ ...common, entryPoints: [join(root, file)] })
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
  return module[name]
}

const styleSheet = async () => {
  const sheets = ["page.css", "ask/ask.css"].map((name) => readFileSync(join(root, "src/view", name), "utf8"))
  const css = [await exported("src/view/theme.ts", "theme"), ...sheets].join("\n")
  return (await transform(css, { loader: "css", minify: true, target: common.target })).code
}

const samples = await exported("src/internal/look/sampleList.ts", "samples")

/** Writes the page into `folder`; gives the size of its files. */
export const page = async (folder) => {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: [join(root, "src/view/browser.tsx")],
    conditions: ["docsluice:source"],
    charset: "utf8",
    minify: true,
    metafile: true
  })
  const files = {
    "app.js": outputFiles[0].text,
    "app.css": await styleSheet(),
    "index.html": readFileSync(join(root, "src/view/index.html"), "utf8"),
    "search.html": readFileSync(join(root, "src/view/search.html"), "utf8")
  }
  const sizes = Object.values(files).map((text) => [Buffer.byteLength(text), gzipSync(text).length])
  const bytes = sizes.reduce((sum, [size]) => sum + size, 0)
  const compressed = sizes.reduce((sum, [, size]) => sum + size, 0)
  if (bytes > most.bytes || compressed > most.compressed) {
    throw new Error(
      `the page has ${bytes} bytes, ${compressed} compressed; at most ${most.bytes} and ${most.compressed} are allowed`
    )
  }
  const written = new Map(Object.entries(files))
  for (const { name } of samples) written.set(`samples/${name}`, readFileSync(join(root, "examples/documents", name)))
  mkdirSync(join(folder, "samples"), { recursive: true })
  record(folder, "src/view", metafile)
  // A server that shows the page meanwhile finds each file, the old one or the new one.
  for (const [name, content] of written) {
    const begun = join(folder, `${name}.${process.pid}`)
    writeFileSync(begun, content)
    renameSync(begun, join(folder, name))
  }
  return { bytes, compressed }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await page(resolve(process.argv[2] ?? join(root, "dist/src/view")))
}
