/** WeasyPrint, one process for all documents, with footnotes at the ends of pages. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Html from "../html.ts"
import { type Producer, run } from "./producer.ts"

const program = `
import sys, logging
from weasyprint import HTML
logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
for line in sys.stdin:
    source, pdf = line.rstrip("\\n").split("\\t")
    try:
        HTML(source).write_pdf(pdf)
    except Exception as error:
        print(source, error, file=sys.stderr)
`

export const weasyprint: Producer = {
  name: "weasyprint",
  tagged: false,
  program: "weasyprint",
  // Its map of characters has one text for each glyph, right-to-left words as they are drawn, syllables of Devanagari with letters of others;
  // it has no vertical lines.
  renders: ({ language }) =>
    !language.rtl && language.script !== "devanagari" && language.script !== "thai" && language.vertical !== true,
  render: (jobs, scratch) => {
    const lines = jobs.map(({ document, pdf }, at) => {
      const page = join(scratch, `weasyprint-${at}.html`)
      writeFileSync(page, Html.make(document, { mathml: false, footnotes: true }))
      return `${page}\t${pdf}\n`
    })
    const said = run("/usr/bin/python3", ["-c", program], { input: lines.join("") })
    return said === undefined ? Promise.resolve() : Promise.reject(new Error(said))
  }
}
