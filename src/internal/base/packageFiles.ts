/** Files of this package, and native packages next to it, that a program loads when it runs. A bundler does not take them along. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * A file of the package or a native package was not found, usually because the program was bundled together with this package. Not an
 * error of Effect's making: every child process of the engine loads this module, and Effect would take 0.4 s of its start.
 */
export class PackageFilesMissing extends Error {
  readonly _tag = "PackageFilesMissing"
  override readonly name = "PackageFilesMissing"

  /** `file`: name of the file or package that is needed; `importer`: place of the code that needs it, an address or a path. */
  constructor(file: string, importer: string, cause: unknown) {
    const why = cause instanceof Error ? ` (${cause.message.split("\n", 1)[0]})` : ""
    super(
      `${file} could not be loaded from ${importer}${why}. If this program was bundled, keep docsluice out of the bundle and installed: esbuild --external:docsluice, serverExternalPackages: ["docsluice"] in next.config, ssr.external: ["docsluice"] in vite.config`,
      { cause }
    )
  }
}

/** Place to look from. A bundle in CommonJS has no `import.meta.url`: the working directory then. */
export const placeOf = (importer: string | undefined): string => importer ?? join(process.cwd(), "bundle.js")

/** Runs a function that loads a file; a failure becomes {@link PackageFilesMissing}. */
export const loaded = <A>(file: string, importer: string | undefined, load: (place: string) => A): A => {
  const place = placeOf(importer)
  try {
    return load(place)
  } catch (cause) {
    throw new PackageFilesMissing(file, place, cause)
  }
}

/**
 * Address of a module of this package: `name` next to the importing module, or `path` of the installed package when a bundler has moved
 * that module. Throws {@link PackageFilesMissing}.
 */
export const moduleBeside = (name: string, path: string, importer: string | undefined): URL => {
  const beside = importer === undefined ? undefined : new URL(name, importer)
  if (beside !== undefined && existsSync(beside)) return beside
  return loaded(`docsluice/${path}`, importer, (place) => {
    const found = new URL(path, pathToFileURL(createRequire(place).resolve("docsluice/package.json")))
    if (existsSync(found)) return found
    throw new Error(`there is no ${found.href}`)
  })
}

/** Version of this package; empty when its manifest is not found. */
export const packageVersion = (): string => {
  try {
    const manifest: unknown = createRequire(placeOf(import.meta.url))("docsluice/package.json")
    return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : ""
  } catch {
    return ""
  }
}
