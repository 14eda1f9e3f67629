import { readFileSync, readdirSync } from "node:fs"
import { deserialize } from "node:v8"
import * as Composition from "../src/engine/pdf/Composition.ts"
import * as LineModel from "../src/engine/pdf/lines/LineModel.ts"
import * as DraftFeatures from "../src/engine/pdf/lines/DraftFeatures.ts"
const files = readdirSync("/tmp/lines/cache").filter((f) => !f.includes("-1-")).slice(0, 60)
const docs = files.map((f) => deserialize(readFileSync("/tmp/lines/cache/" + f)) as any).map((ps: any[]) => ps.map((p) => ({...p, tagged: new Map()})))
const n = docs.reduce((s, d) => s + d.length, 0)
const model = LineModel.load()
const time = (name: string, f: () => void) => { f(); const t = process.cpuUsage(); f(); const u = process.cpuUsage(t); console.log(name, ((u.user + u.system) / 1000 / n).toFixed(2), "ms/page") }
time("rules", () => { for (const d of docs) Composition.layOut(d, Composition.styleOf(d), undefined) })
time("joins", () => { for (const d of docs) { const s = Composition.styleOf(d); Composition.layOut(d, s, LineModel.joinsOf(model.joins, s, false)) } })
const laid = docs.map((d) => Composition.layOut(d, Composition.styleOf(d), undefined))
time("features", () => { laid.forEach((l, i) => DraftFeatures.ofDocument(l, Composition.styleOf(docs[i]!))) })
time("kinds", () => { laid.forEach((l, i) => LineModel.kindsOf(model.roles, l, Composition.styleOf(docs[i]!))) })
console.log(n, "pages")
