/** The page's own files: built into a folder of the package, compressed at their first use. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
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

/** The folder of the built page in the package, looked up each time; undefined while it is not built. */
const packaged: Effect.Effect<URL | undefined> = Effect.sync(() => {
  try {
    return new URL("./", moduleBeside("../../view/app.js", "dist/src/view/app.js", import.meta.url))
  } catch {
    return undefined
  }
})

/** Files by their addresses. */
const kept = new Map<string, Promise<PageFile>>()

const loaded = (folder: URL, name: string, ending: Ending): Promise<PageFile> => {
  const file = new URL(name, folder)
  const known = kept.get(file.href)
  if (known !== undefined) return known
  const loading = readFile(file).then((bytes) => packed(ending, bytes))
  kept.set(file.href, loading)
  loading.catch(() => kept.delete(file.href))
  return loading
}

export interface PageFiles {
  /** A file of the page by its name; `index.html` is the page, `search.html` the same with a search box that is there at once. */
  readonly read: (name: string) => Effect.Effect<PageFile, Refused.Refused>
  /** The folder of the samples; undefined while the page is not built. */
  readonly samples: Effect.Effect<string | undefined>
}

/** The files of a built page; without a folder those that the package holds. */
export const make = (given: string | undefined): PageFiles => {
  const folder = given === undefined ? packaged : Effect.succeed(pathToFileURL(join(given, "/")))
  return {
    read: (name) => {
      const ending = /^[\w-]+\.(\w+)$/u.exec(name)?.[1] ?? ""
      const unknown = Refused.make("NotFound", "The page has no such file.")
      if (!isEnding(ending)) return unknown
      const notBuilt = Refused.make("PageNotBuilt", "The page is not built: npm run build.")
      return Effect.flatMap(folder, (found) =>
        found === undefined
          ? notBuilt
          : Effect.tryPromise({
              try: () => loaded(found, name, ending),
              catch: () => (name.endsWith(".html") ? notBuilt : unknown)
            })
      )
    },
    samples: Effect.map(folder, (found) =>
      found === undefined ? undefined : fileURLToPath(new URL("samples/", found))
    )
  }
}
