/** Writes documents as PDFs, with the truth next to each as JSON. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Document } from "./model.ts"
import * as Pdf from "./pdf.ts"
import type { Producer } from "./producers/producer.ts"
import { document, type Template } from "./templates.ts"
import * as Truth from "./truth.ts"

export interface Plan {
  readonly folder: string
  readonly seeds: ReadonlyArray<number>
  readonly templates: ReadonlyArray<Template>
  readonly producers: ReadonlyArray<Producer>
}

interface Task {
  readonly document: Document
  readonly split: Truth.Truth["split"]
  readonly name: string
}

/** One producer for each template and seed, in turns, so that each gets its share of both. */
const tasksOf = ({ producers, seeds, templates }: Plan): ReadonlyMap<Producer, ReadonlyArray<Task>> => {
  const tasks = new Map<Producer, Array<Task>>()
  templates.forEach((template, row) => {
    for (const seed of seeds) {
      const own = document(template, seed)
      const able = producers.filter((producer) => producer.renders(own))
      const producer = able[(row + seed) % able.length]
      if (producer === undefined) continue
      const task = { document: own, split: template.split, name: `${template.name}-${seed}-${producer.name}` }
      tasks.set(producer, [...(tasks.get(producer) ?? []), task])
    }
  })
  return tasks
}

export interface Written {
  readonly written: number
  readonly failed: ReadonlyArray<string>
  readonly byProducer: Readonly<Record<string, number>>
}

export const write = async (plan: Plan): Promise<Written> => {
  const scratch = mkdtempSync(join(tmpdir(), "docsluice-layout-"))
  const failed: Array<string> = []
  const byProducer: Record<string, number> = {}
  mkdirSync(plan.folder, { recursive: true })
  try {
    for (const [producer, tasks] of tasksOf(plan)) {
      const pdfOf = (task: Task) => join(plan.folder, `${task.name}.pdf`)
      for (const task of tasks) rmSync(pdfOf(task), { force: true })
      await producer.render(
        tasks.map((task) => ({ document: task.document, pdf: pdfOf(task) })),
        scratch
      )
      for (const task of tasks) {
        const pages = existsSync(pdfOf(task)) ? await Pdf.countPages(readFileSync(pdfOf(task))) : 0
        if (pages === 0) {
          failed.push(task.name)
          continue
        }
        const truth = Truth.make(task.document, {
          producer: producer.name,
          tagged: producer.tagged,
          split: task.split,
          pages
        })
        writeFileSync(join(plan.folder, `${task.name}.json`), `${JSON.stringify(truth, undefined, 1)}\n`)
        byProducer[producer.name] = (byProducer[producer.name] ?? 0) + 1
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return { written: Object.values(byProducer).reduce((sum, count) => sum + count, 0), failed, byProducer }
}
