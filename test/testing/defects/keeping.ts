import { type DocumentChunk, PackedVector } from "docsluice/DocumentChunk"
import { Effect } from "effect"
import { calls, type Defect, storing } from "./Defect.ts"

const unicode = "keeps Unicode, NUL, line breaks and 100 KB of text as they are"
const halves = "keeps halves of surrogate pairs and NUL in every text, distinct from their escaped forms"
const layout = "keeps metadata, lists, boxes and headings as they are"
const names = "keeps metadata of any name"
const numbers = "keeps numbers, booleans and the texts that look like them apart, to the last digit"
const vectors = "keeps vectors to the last digit of a 32-bit float, lists and packed ones"

type Value = DocumentChunk["metadata"][string]

const texts = (change: (text: string) => string) => storing(({ text }) => ({ text: change(text) }))

const members = (change: (key: string, value: Value) => ReadonlyArray<readonly [string, Value]>) =>
  storing(({ metadata }) => ({
    metadata: Object.fromEntries(Object.entries(metadata).flatMap(([key, value]) => change(key, value)))
  }))

const components = (change: (component: number) => number) =>
  storing(({ embedding }) => (embedding === undefined ? {} : { embedding: Array.from(embedding, change) }))

export const keeping: ReadonlyArray<Defect> = [
  { name: "trims texts", caughtBy: unicode, plant: texts((text) => text.trim()) },
  { name: "ends a text at NUL", caughtBy: unicode, plant: texts((text) => text.split("\0", 1)[0] ?? "") },
  { name: "brings texts to one normal form", caughtBy: unicode, plant: texts((text) => text.normalize("NFC")) },
  { name: "turns CR LF into LF", caughtBy: unicode, plant: texts((text) => text.replaceAll("\r\n", "\n")) },
  { name: "takes an empty text for none", caughtBy: unicode, plant: texts((text) => (text === "" ? "null" : text)) },
  { name: "drops a byte order mark", caughtBy: unicode, plant: texts((text) => text.replaceAll("\uFEFF", "")) },
  {
    name: "stores the text in the place of embedText",
    caughtBy: unicode,
    plant: storing(({ text }) => ({ embedText: text }))
  },
  {
    name: "writes UTF-8, which has no halves of surrogate pairs",
    caughtBy: halves,
    plant: texts((text) => text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
  },
  {
    name: "writes metadata as UTF-8, which has no halves of surrogate pairs",
    caughtBy: halves,
    plant: members((key, value) => [
      [key, typeof value === "string" ? value.replaceAll(/\p{Surrogate}/gu, "\uFFFD") : value]
    ])
  },
  {
    name: "writes the items of a list as UTF-8",
    caughtBy: halves,
    plant: members((key, value) => [
      [key, typeof value === "object" ? value.map((item) => item.replaceAll(/\p{Surrogate}/gu, "\uFFFD")) : value]
    ])
  },
  {
    name: "reads an escape back that was a text of its own",
    caughtBy: halves,
    plant: texts((text) =>
      text.replaceAll(/\\u([0-9a-f]{4})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    )
  },
  {
    name: "joins lists of metadata by a comma",
    caughtBy: layout,
    plant: members((key, value) => [[key, typeof value === "object" ? value.join(",") : value]])
  },
  {
    name: "drops empty lists",
    caughtBy: layout,
    plant: members((key, value) => (typeof value === "object" && value.length === 0 ? [] : [[key, value]]))
  },
  {
    name: "stores booleans as 0 and 1",
    caughtBy: layout,
    plant: members((key, value) => [[key, typeof value === "boolean" ? Number(value) : value]])
  },
  {
    name: "drops members that are false, 0 or empty",
    caughtBy: layout,
    plant: members((key, value) => (value ? [[key, value]] : []))
  },
  { name: "forgets boxes", caughtBy: layout, plant: storing(() => ({ boxes: [] })) },
  { name: "forgets parentId", caughtBy: layout, plant: storing(() => ({ parentId: undefined })) },
  { name: "forgets notes", caughtBy: layout, plant: storing(() => ({ notes: [] })) },
  {
    name: "keeps the first page only",
    caughtBy: layout,
    plant: storing(({ pages }) => ({ pages: pages.slice(0, 1) }))
  },
  {
    name: "keeps the words of headings and not their depth",
    caughtBy: layout,
    plant: storing(({ headingPath }) => ({ headingPath: headingPath.map(({ text }, at) => ({ depth: at + 1, text })) }))
  },
  {
    name: "assigns metadata member by member, so that __proto__ is lost",
    caughtBy: names,
    plant: storing(({ metadata }) => {
      const copy: Record<string, Value> = {}
      for (const [key, value] of Object.entries(metadata)) copy[key] = value
      return { metadata: copy }
    })
  },
  { name: "lower-cases names", caughtBy: names, plant: members((key, value) => [[key.toLowerCase(), value]]) },
  {
    name: "puts its own columns among the metadata",
    caughtBy: names,
    plant: storing(({ id, metadata }) => ("id" in metadata ? { metadata: { ...metadata, id } } : {}))
  },
  {
    name: "drops a member without a name",
    caughtBy: names,
    plant: members((key, value) => (key.trim() === "" ? [] : [[key, value]]))
  },
  {
    name: "takes a point in a name for a path",
    caughtBy: names,
    plant: members((key, value) => [[key.split(".")[0] ?? key, value]])
  },
  {
    name: "stores numbers as 32-bit floats",
    caughtBy: numbers,
    plant: members((key, value) => [[key, typeof value === "number" ? Math.fround(value) : value]])
  },
  {
    name: "stores integers in 32 bits",
    caughtBy: numbers,
    plant: members((key, value) => [[key, Number.isInteger(value) ? Number(value) | 0 : value]])
  },
  {
    name: "stores numbers as text",
    caughtBy: numbers,
    plant: members((key, value) => [[key, typeof value === "number" ? String(value) : value]])
  },
  {
    name: "takes a text that looks like a number for one",
    caughtBy: numbers,
    plant: members((key, value) => [
      [key, typeof value === "string" && value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value]
    ])
  },
  {
    name: "takes the text true for a boolean",
    caughtBy: numbers,
    plant: members((key, value) => [[key, value === "true" ? true : value]])
  },
  {
    name: "stores tokens in 16 bits",
    caughtBy: numbers,
    plant: storing(({ tokens }) => ({ tokens: tokens & 0xffff }))
  },
  {
    name: "prints vectors with six digits",
    caughtBy: vectors,
    plant: components((component) => Number(component.toFixed(6)))
  },
  {
    name: "stores vectors as signed bytes",
    caughtBy: vectors,
    plant: components((component) => Math.round(component * 127) / 127)
  },
  { name: "forgets signs of vectors", caughtBy: vectors, plant: components(Math.abs) },
  {
    name: "forgets a packed vector, since it is no array",
    caughtBy: vectors,
    plant: storing(({ embedding }) => (embedding instanceof PackedVector ? { embedding: undefined } : {}))
  },
  {
    name: "keeps the first vector when a chunk comes again",
    caughtBy: vectors,
    plant: calls(({ sink, store }) => ({
      write: (batch) =>
        Effect.suspend(() => {
          const before = new Map(batch.map(({ id }) => [id, store.chunks.get(id)?.embedding]))
          return Effect.tap(sink.write(batch), () =>
            Effect.sync(() => {
              for (const chunk of batch) {
                const embedding = before.get(chunk.id)
                if (embedding !== undefined)
                  store.chunks.set(chunk.id, Object.assign(Object.create(chunk), { ...chunk, embedding }))
              }
            })
          )
        })
    }))
  }
]
