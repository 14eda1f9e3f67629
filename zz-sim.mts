import { readFileSync } from "node:fs"
import { createHash } from "node:crypto"
import * as T from "./src/internal/terms/terms.ts"
const half = (q: string) => ((createHash("sha256").update(q).digest()[0] ?? 0) % 2 === 0 ? 0 : 1)
export type V = { k1?: number; b?: number; terms: "both" | "stem" | "max"; idle: "drop" | "keep" | number; parts?: number; chains?: number; w?: [number, number, number]; pre?: boolean; doc?: number }
const load = (name: string) => {
  const { chunks, questions } = JSON.parse(readFileSync(`/tmp/rank/${name}.json`, "utf8"))
  const titles = new Map<string, string>()
  const fields = chunks.map((c: any) => T.fields({ text: c.text, headingPath: c.headings, source: c.source, metadata: c.metadata }))
  return { name, chunks, questions: questions.map((q: any) => ({ ...q, sought: T.sought(q.question), half: half(q.question) })), fields }
}
export type Set = ReturnType<typeof load>
export const sets = (names: string[]) => names.map(load)
// index: term -> [[doc, tf text, tf head, tf source]...]
export const index = (s: Set, v: V) => {
  const post = new Map<string, Map<number, [number, number, number]>>()
  const len: number[] = []
  s.fields.forEach((f: any, d: number) => {
    let l = 0
    ;[f.text, f.headings, f.source].forEach((places: any, col: number) => {
      for (const { terms } of places) {
        const use = v.terms === "stem" ? [terms[terms.length - 1]] : terms
        l += v.terms === "both" ? use.length : 1
        for (const t of use) {
          let m = post.get(t); if (!m) post.set(t, (m = new Map()))
          let e = m.get(d); if (!e) m.set(d, (e = [0, 0, 0]))
          e[col]++
        }
      }
    })
    len.push(l)
  })
  return { post, len, avg: len.reduce((a, b) => a + b, 0) / len.length }
}
export const search = (s: Set, ix: ReturnType<typeof index>, q: any, v: V) => {
  const { k1 = 1.2, b = 0.75, w = [1, 1, 1] } = v
  const N = s.chunks.length
  const score = new Map<number, number>()
  let words = q.sought
  if (v.idle === "drop") { const t = words.filter((x: any) => !x.idle && x.terms.some((y: string) => ix.post.has(y))); if (t.length) words = t }
  for (const { terms, idle, kind } of words) {
    const weight = (typeof v.idle === "number" && idle ? v.idle : 1) * (kind === "part" ? v.parts ?? 1 : kind === "chain" ? v.chains ?? 1 : 1)
    if (weight === 0) continue
    const one = (posts: Map<number, [number, number, number]>) => {
      const df = posts.size
      let idf = Math.log((N - df + 0.5) / (df + 0.5)); if (idf <= 0) idf = 1e-6
      if (v.idle === "keep" || typeof v.idle === "number" || true) idf = Math.max(1e-6, (v as any).plus ? Math.log(1 + (N - df + 0.5) / (df + 0.5)) : idf)
      for (const [d, [a, h, c]] of posts) {
        const tf = a * w[0] + h * w[1] + c * w[2]
        if (tf === 0) continue
        const x = weight * idf * (tf * (k1 + 1)) / (tf + k1 * (1 - b + b * ix.len[d]! / ix.avg))
        score.set(d, (score.get(d) ?? 0) + x)
      }
    }
    if (v.terms === "max") {
      const merged = new Map<number, [number, number, number]>()
      for (const t of terms) for (const [d, e] of ix.post.get(t) ?? []) {
        const o = merged.get(d)
        merged.set(d, o ? [Math.max(o[0], e[0]), Math.max(o[1], e[1]), Math.max(o[2], e[2])] : e)
      }
      if (merged.size) one(merged)
    } else for (const t of terms) { const p = ix.post.get(t); if (p) one(p) }
  }
  return [...score].sort((x, y) => y[1] - x[1] || x[0] - y[0]).map(([d]) => d)
}
export const measure = (s: Set, rank: (q: any) => number[]) => {
  const out = [0, 1].map(() => ({ n: 0, mrr: 0, hit5: 0, map: 0, r500: 0 }))
  for (const q of s.questions) {
    const o = out[q.half]!; o.n++
    const src = new Set(Array.isArray(q.source) ? q.source : [q.source])
    const pages = q.pages ? new Set(q.pages) : null
    const quote = q.quote
    const ranked = rank(q).slice(0, 1000)
    let ap = 0, found = 0, first = 0, tok = 0, in500 = false
    for (let i = 0; i < ranked.length; i++) {
      const c = s.chunks[ranked[i]!]
      tok += c.tokens
      const ok = src.has(c.source) && (!pages || c.pages.some((p: number) => pages.has(p))) && (!quote || norm(c.text).includes(norm(quote)))
      if (ok) { found++; ap += found / (i + 1); if (!first) first = i + 1; if (tok <= 500) in500 = true }
    }
    if (first) o.mrr += 1 / first
    if (first && first <= 5) o.hit5++
    if (in500) o.r500++
    o.map += pages || quote ? (first ? 1 / first : 0) : ap / src.size
  }
  return out.map((o) => ({ mrr: o.mrr / o.n, hit5: o.hit5 / o.n, map: o.map / o.n, r500: o.r500 / o.n, n: o.n }))
}
const norm = (t: string) => t.replaceAll(/[\s*_`|\\]+/g, " ").toLowerCase()
export const f = (x: number) => x.toFixed(3).replace(/^0/, "")
export const show = (name: string, r: any) => console.log(name.padEnd(44), r.map((o: any) => `mrr ${f(o.mrr)} h5 ${f(o.hit5)} map ${f(o.map)} r500 ${f(o.r500)}`).join("  |  "))
