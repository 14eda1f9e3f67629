/** Writes documents as PDFs, with the truth next to each as JSON. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Language, nameOf } from "./languages/language.ts"
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
  /** Every template and seed in each of them; one language is drawn for each if there are none. */
  readonly languages: ReadonlyArray<Language>
  /** Leaves documents that are there as they are. */
  readonly keep: boolean
}

interface Task {
  readonly document: Document
  readonly split: Truth.Truth["split"]
  readonly name: string
}

/** One producer for each template and seed, in turns, so that each gets its share of both. */
const tasksOf = ({ languages, producers, seeds, templates }: Plan): ReadonlyMap<Producer, ReadonlyArray<Task>> => {
  const tasks = new Map<Producer, Array<Task>>()
  const asked = languages.length === 0 ? [undefined] : languages
  templates.forEach((template, row) => {
    for (const [seed, language] of seeds.flatMap((seed) => asked.map((language) => [seed, language] as const))) {
      const own = document(template, seed, language)
      const able = producers.filter((producer) => producer.renders(own))
      const producer = able[(row + seed) % able.length]
      if (producer === undefined) continue
      const task = {
        document: own,
        split: template.split,
        name: [template.name, seed, ...(language === undefined ? [] : [nameOf(language)]), producer.name].join("-")
      }
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

/** Documents of one start of a producer: a start takes seconds, and what hangs must not take all documents with it. */
const batchSize = 16

const batches = (tasks: ReadonlyArray<Task>): ReadonlyArray<ReadonlyArray<Task>> =>
  Array.from({ length: Math.ceil(tasks.length / batchSize) }, (_, at) =>
    tasks.slice(at * batchSize, (at + 1) * batchSize)
  )

export const write = async (plan: Plan): Promise<Written> => {
  const { folder, keep } = plan
  const scratch = mkdtempSync(join(tmpdir(), "docsluice-layout-"))
  const failed: Array<string> = []
  const byProducer: Record<string, number> = {}
  const pdfOf = ({ name }: Task) => join(folder, `${name}.pdf`)
  const truthOf = ({ name }: Task) => join(folder, `${name}.json`)
  const finish = async (task: Task, producer: Producer): Promise<void> => {
    const pages = existsSync(pdfOf(task)) ? await Pdf.countPages(readFileSync(pdfOf(task))) : 0
    if (pages === 0) {
      failed.push(task.name)
      rmSync(pdfOf(task), { force: true })
      return
    }
    const truth = Truth.make(task.document, {
      producer: producer.name,
      tagged: producer.tagged,
      split: task.split,
      pages
    })
    writeFileSync(truthOf(task), `${JSON.stringify(truth, undefined, 1)}\n`)
    byProducer[producer.name] = (byProducer[producer.name] ?? 0) + 1
  }
  mkdirSync(folder, { recursive: true })
  try {
    for (const [producer, tasks] of tasksOf(plan)) {
      const open = tasks.filter((task) => !keep || !existsSync(truthOf(task)))
      for (const batch of batches(open)) {
        for (const task of batch) rmSync(pdfOf(task), { force: true })
        const jobs = batch.map((task) => ({ document: task.document, pdf: pdfOf(task) }))
        try {
          await producer.render(jobs, mkdtempSync(join(scratch, "batch-")))
        } catch (cause) {
          console.error(`${producer.name}: ${String(cause)}`)
        }
        for (const task of batch) await finish(task, producer)
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return { written: Object.values(byProducer).reduce((sum, count) => sum + count, 0), failed, byProducer }
}
