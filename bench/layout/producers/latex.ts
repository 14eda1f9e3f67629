/** XeLaTeX and pdfLaTeX, which break words at the ends of lines. */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Latex from "../latex.ts"
import type { Document } from "../model.ts"
import { type Producer, run } from "./producer.ts"

/** Languages whose words TeX can break here. */
const installed = (): ReadonlySet<string> =>
  new Set(
    Object.values(Latex.babel).filter(
      (name) => spawnSync("kpsewhich", [`${name}.ldf`], { encoding: "utf8" }).stdout.trim() !== ""
    )
  )

const producer = (engine: Latex.Engine, renders: (document: Document) => boolean): Producer => ({
  name: engine,
  tagged: false,
  program: engine,
  renders,
  render: (jobs, scratch) => {
    const languages = installed()
    jobs.forEach(({ document, pdf }, at) => {
      const folder = join(scratch, `${engine}-${at}`)
      mkdirSync(folder)
      writeFileSync(join(folder, "page.tex"), Latex.make(document, engine, languages))
      const typeset = () => run(engine, ["-interaction=nonstopmode", "-no-shell-escape", "page.tex"], { cwd: folder })
      const first = typeset()
      const said = (Latex.needsSecondRun(document) ? typeset() : first)
        ?.split("\n")
        .find((line) => line.startsWith("!"))
      const made = join(folder, "page.pdf")
      if (existsSync(made)) copyFileSync(made, pdf)
      if (said !== undefined) console.error(`${pdf}: ${said}`)
    })
    return Promise.resolve()
  }
})

/** Right-to-left and vertical text need packages that Debian keeps apart; fonts for Devanagari and Thai have no Latin letters. */
export const xelatex = producer(
  "xelatex",
  ({ language }) =>
    !language.rtl && language.vertical !== true && language.script !== "devanagari" && language.script !== "thai"
)

export const pdflatex = producer("pdflatex", ({ language }) => language.script === "latin" && language.code !== "vi")
