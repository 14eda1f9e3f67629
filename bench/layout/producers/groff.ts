/** groff, of which only documents to judge by are made, and those in some styles: nothing is learned from it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Roff from "../roff.ts"
import { type Producer, run } from "./producer.ts"

const families = ["lettered-", "quiet-", "typed-"]

export const groff: Producer = {
  name: "groff",
  tagged: false,
  program: "gropdf",
  renders: (document) => families.some((family) => document.template.startsWith(family)) && Roff.renders(document),
  render: (jobs, scratch) => {
    jobs.forEach(({ document, pdf }, at) => {
      const source = join(scratch, `groff-${at}.ms`)
      writeFileSync(source, Roff.make(document))
      const { height, width } = document.style.page
      const paper = `-dpaper=${(width / 72).toFixed(3)}i,${(height / 72).toFixed(3)}i`
      const said = run("sh", [
        "-c",
        'groff -k -t -ms -Tpdf "$1" -P-p"$2" "$3" > "$4"',
        "sh",
        paper,
        `${(height / 72).toFixed(3)}i,${(width / 72).toFixed(3)}i`,
        source,
        pdf
      ])
      if (said !== undefined) console.error(`${pdf}: ${said}`)
    })
    return Promise.resolve()
  }
}
