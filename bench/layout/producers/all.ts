/** Every producer, by its name. */
import { chromium, chromiumUntagged } from "./chromium.ts"
import { groff } from "./groff.ts"
import { pdflatex, xelatex } from "./latex.ts"
import { libreoffice, libreofficeUntagged } from "./libreoffice.ts"
import { isInstalled, type Producer } from "./producer.ts"
import { weasyprint } from "./weasyprint.ts"

const all: ReadonlyArray<Producer> = [
  chromium,
  chromiumUntagged,
  libreoffice,
  libreofficeUntagged,
  weasyprint,
  xelatex,
  pdflatex,
  groff
]

/** Those of the names, or all; missing programs are named on stderr. */
export const named = (names: ReadonlyArray<string>): ReadonlyArray<Producer> => {
  for (const name of names) {
    if (!all.some((one) => one.name === name)) {
      throw new Error(`no producer ${name}; there are ${all.map((one) => one.name).join(", ")}`)
    }
  }
  return all.filter(({ name, program }) => {
    if (names.length > 0 && !names.includes(name)) return false
    const installed = isInstalled(program)
    if (!installed) console.error(`${name} is left out: ${program} is not installed`)
    return installed
  })
}
