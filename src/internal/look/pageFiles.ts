/** The page's own files: built into a folder of the package, compressed at their first use. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import * as Effect from "effect/Effect"
import { moduleBeside } from "../base/packageFiles.ts"
import * as Refused from "./refused.ts"

const types = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8"
} as const

type Ending = keyof typeof types

const isEnding = (text: string): text is Ending => Object.hasOwn(types, text)

export interface PageFile {
  readonly type: string
  readonly etag: string
  readonly plain: Uint8Array
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

/** A page without the script says so. */
const index = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>docsluice</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_look/app.css">
<script type="module" src="/_look/app.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page needs its script, which comes from this server alone.</noscript>
</body>
</html>
`

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const packed = async (ending: Ending, plain: Uint8Array): Promise<PageFile> => {
  const [br, gzipped] = await Promise.all([
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    zip(plain, { level: 9 })
  ])
  const etag = `"${createHash("sha256").update(plain).digest("hex").slice(0, 32)}"`
  return { type: types[ending], etag, plain, br, gzip: gzipped }
}

const notBuilt = (): Refused.Refused => Refused.make("PageNotBuilt", "The page is not built: npm run build.")

/** The folder of the built page; throws when it is not built. */
const folder = (): URL => new URL("./", moduleBeside("../../view/app.js", "dist/src/view/app.js", import.meta.url))

const kept = new Map<string, Promise<PageFile>>()

const loaded = (name: string, ending: Ending): Promise<PageFile> => {
  const known = kept.get(name)
  if (known !== undefined) return known
  const loading = readFile(new URL(name, folder())).then((bytes) => packed(ending, bytes))
  kept.set(name, loading)
  loading.catch(() => kept.delete(name))
  return loading
}

/** A file of the page by its name. */
export const read = (name: string): Effect.Effect<PageFile, Refused.Refused> => {
  const ending = /^[\w-]+\.(\w+)$/u.exec(name)?.[1] ?? ""
  if (!isEnding(ending)) return Refused.make("NotFound", "The page has no such file.")
  return Effect.tryPromise({
    // The folder is looked up each time until the page is built.
    try: async () => loaded(name, ending),
    catch: () =>
      name === "app.js" || name === "app.css" ? notBuilt() : Refused.make("NotFound", "The page has no such file.")
  })
}

/** The page; refused while its script is not built. */
export const page: Effect.Effect<PageFile, Refused.Refused> = Effect.zipRight(
  read("app.js"),
  Effect.promise(() => {
    const known = kept.get("/") ?? packed("html", Buffer.from(index))
    kept.set("/", known)
    return known
  })
)

/** Version of this package. */
export const version: Effect.Effect<string> = Effect.orElseSucceed(
  Effect.try(() => {
    const manifest: unknown = createRequire(import.meta.url)("docsluice/package.json")
    return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : ""
  }),
  () => ""
)
