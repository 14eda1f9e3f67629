/** How the packages that recognise text are installed. */

/** Package of the recogniser. */
export const engine = "tesseract.js"

/** Scope of the packages of languages. */
export const scope = "@tesseract.js-data"

/** The command that installs the packages for these languages; default English. */
export const command = (languages: ReadonlyArray<string> = ["eng"]): string =>
  `npm install ${[`${engine}@7`, ...languages.map((language) => `${scope}/${language}`)].join(" ")}`
