/** LibreOffice Writer, one start for all documents. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Odt from "../odt.ts"
import { type Producer, run } from "./producer.ts"

const producer = (name: string, tagged: boolean): Producer => ({
  name,
  tagged,
  program: "soffice",
  renders: () => true,
  render: (jobs, scratch) => {
    const folder = join(scratch, name)
    mkdirSync(folder)
    const sources = jobs.map(({ document }, at) => {
      const source = join(folder, `page-${at}.fodt`)
      writeFileSync(source, Odt.make(document))
      return source
    })
    const options = JSON.stringify({
      UseTaggedPDF: { type: "boolean", value: String(tagged) },
      ExportBookmarks: { type: "boolean", value: String(tagged) }
    })
    const said = run("soffice", [
      "--headless",
      `-env:UserInstallation=${pathToFileURL(join(scratch, "..", "soffice")).href}`,
      "--convert-to",
      `pdf:writer_pdf_Export:${options}`,
      "--outdir",
      folder,
      ...sources
    ])
    jobs.forEach(({ pdf }, at) => {
      const made = join(folder, `page-${at}.pdf`)
      if (existsSync(made)) copyFileSync(made, pdf)
    })
    return said === undefined ? Promise.resolve() : Promise.reject(new Error(said))
  }
})

export const libreoffice = producer("libreoffice", true)

export const libreofficeUntagged = producer("libreoffice-untagged", false)
