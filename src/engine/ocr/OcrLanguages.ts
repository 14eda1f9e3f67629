/** The languages in which text of pictures is recognised. */
import * as Context from "effect/Context"
import * as OcrPackages from "./OcrPackages.ts"
import type { OcrSettings } from "./PageOcr.ts"

/** Codes of languages, or several joined by `+`; without a layer none, which means all that are installed. */
export class OcrLanguages extends Context.Reference<OcrLanguages>()("docsluice/engine/OcrLanguages", {
  defaultValue: (): ReadonlyArray<string> => []
}) {}

/**
 * The installed packages with these languages, all for none; undefined without the packages, or without the data of one of the languages.
 */
export const settings = (languages: ReadonlyArray<string>): OcrSettings | undefined => {
  const packages = OcrPackages.find(import.meta.url)
  if (packages === undefined || OcrPackages.missing(packages, languages).length > 0) return undefined
  return { packages, languages: languages.length === 0 ? Object.keys(packages.languages) : languages }
}
