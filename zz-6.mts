import * as S from "./zz-sim.mts"
import * as T from "./src/internal/terms/terms.ts"
const names = (process.argv[2] ?? "cranfield,sec-10-q-512,sec-10-q-128,xquad-en,xquad-de,xquad-ru").split(",")
// scoring: tf_group = max over terms of (a + w..), exact bonus: separate additive x*alpha for the folded word
const run = (s: S.Set, v: any) => {
  const ix = S.index(s, { terms: "max", idle: "drop" }); if (v.len) { ix.len = v.len === "tokens" ? s.chunks.map((c: any) => c.tokens) : s.fields.map((f: any) => new Set([...f.text, ...f.headings, ...f.source].flatMap((p: any) => p.terms)).size); ix.avg = ix.len.reduce((a: number, b: number) => a + b, 0) / ix.len.length }
  const N = s.chunks.length; const W = v.w ?? [1,1,1]
  const { k1 = 1.2, b = 0.75, exact = 0, chains = 1, parts = 1, doc = 0, docN = 60, neigh = 0, cover = 0, prox = 0 } = v
  // documents
  const bySource = new Map<string, number[]>()
  s.chunks.forEach((c: any, d: number) => bySource.set(c.source, [...(bySource.get(c.source) ?? []), d]))
  const docTerms = new Map<string, Set<string>>()
  if (doc) for (const [src, ds] of bySource) {
    const set = new Set<string>()
    for (const f of [s.fields[ds[0]!].source, s.fields[ds[0]!].headings, s.fields[ds[0]!].text.slice(0, docN)]) for (const p of f) for (const t of p.terms) set.add(t)
    docTerms.set(src, set)
  }
  const nd = bySource.size
  const ddf = new Map<string, number>()
  for (const set of docTerms.values()) for (const t of set) ddf.set(t, (ddf.get(t) ?? 0) + 1)
  const idfOf = (df: number, n = N) => Math.max(1e-6, Math.log(1 + (n - df + 0.5) / (df + 0.5)))
  return (q: any) => {
    const score = new Map<number, number>()
    let words = q.sought
    const t = words.filter((x: any) => !x.idle && x.terms.some((y: string) => ix.post.has(y))); if (t.length) words = t
    const held = new Map<number, number>(); let all = 0
    for (const { terms, kind } of words) {
      const weight = kind === "part" ? parts : kind === "chain" ? chains : 1
      if (!weight) continue
      const merged = new Map<number, number>()
      for (const t of terms) for (const [d, e] of ix.post.get(t) ?? []) { const x = (e[0] * W[0] + e[1] * W[1] + e[2] * W[2]); merged.set(d, Math.max(merged.get(d) ?? 0, x)) }
      const idf = idfOf(merged.size); all += idf * weight
      const norm = (d: number) => k1 * (1 - b + b * ix.len[d]! / ix.avg)
      for (const [d, tf] of merged) { score.set(d, (score.get(d) ?? 0) + weight * idf * (tf * (k1 + 1)) / (tf + norm(d))); if (cover) held.set(d, (held.get(d) ?? 0) + idf * weight) }
      if (exact) { const p = ix.post.get(terms[0]); if (p && terms.length > 1) { const i2 = idfOf(p.size); for (const [d, e] of p) { const tf = (e[0] * W[0] + e[1] * W[1] + e[2] * W[2]); score.set(d, (score.get(d) ?? 0) + exact * weight * i2 * (tf * (k1 + 1)) / (tf + norm(d))) } } }
    }
    if (cover) for (const [d, h] of held) score.set(d, score.get(d)! * (1 - cover + cover * h / all))
    if (doc) {
      const bonus = new Map<string, number>()
      for (const { terms, kind } of words) if (kind === "word") for (const [src, set] of docTerms) if (terms.some((t: string) => set.has(t))) { const df = Math.max(...terms.map((t: string) => ddf.get(t) ?? 0)); bonus.set(src, (bonus.get(src) ?? 0) + idfOf(df, nd)) }
      for (const [d, x] of score) { if (bySource.get(s.chunks[d].source)!.length > 1) score.set(d, x + doc * (bonus.get(s.chunks[d].source) ?? 0)) }
    }
    const pool = new Set([...score].sort((x, y) => y[1] - x[1]).slice(0, 200).map(([d]) => d))
    if (v.first) { const copy = new Map(score); for (const d of pool) { const [f0] = bySource.get(s.chunks[d].source)!; if (bySource.get(s.chunks[d].source)!.length > 1) score.set(d, copy.get(d)! + v.first * (copy.get(f0!) ?? 0)) } }
    if (v.best) { const copy = new Map(score); const by = new Map<string, number[]>(); for (const d of pool) { const src = s.chunks[d].source; by.set(src, [...(by.get(src) ?? []), copy.get(d)!]) }
      for (const d of pool) { const src = s.chunks[d].source; if (bySource.get(src)!.length > 1) { const top = by.get(src)!.sort((a, b) => b - a).slice(0, v.bestN ?? 1); score.set(d, copy.get(d)! + v.best * top.reduce((a, b) => a + b, 0) / (v.bestN ?? 1)) } } }
    if (neigh) { const copy = new Map(score); for (const [d] of copy) { const near = [d - 1, d + 1].filter((e) => s.chunks[e]?.source === s.chunks[d].source).map((e) => copy.get(e) ?? 0); score.set(d, copy.get(d)! + neigh * Math.max(0, ...near)) } }
    return [...score].sort((x, y) => y[1] - x[1] || x[0] - y[0]).map(([d]) => d)
  }
}
const B = {exact:.5,chains:.5,parts:.5}
const variants: Record<string, any> = { "base": B, "doc .5 n0": {...B, doc:.5, docN:0}, "doc 1 n0": {...B, doc:1, docN:0},"doc .5 n20": {...B, doc:.5, docN:20}, "doc .5 n60": {...B, doc:.5}, "first .1": {...B, first:.1}, "first .2": {...B, first:.2}, "first .3": {...B, first:.3}, "best .1": {...B, best:.1}, "best .2": {...B, best:.2}, "best .3": {...B, best:.3}, "best .5": {...B, best:.5} , "avg3 .3": {...B, best:.3, bestN: 3}, "avg3 .5": {...B, best:.5, bestN: 3}}

const norm = (t: string) => t.replaceAll(/[\s*_`|\\]+/g, " ").toLowerCase()
for (const s of S.sets(names)) { const rank = run(s, B); const Ns = [250,500,1000,2000,4000]; const out: any = [0,1].map(() => ({n:0, r: Ns.map(() => 0)}))
  for (const q of s.questions) { const o = out[q.half]; o.n++; let tok = 0; let acc = ""; const src = new Set([q.source].flat()); const pages = q.pages && new Set(q.pages); let at = Infinity
    for (const d of rank(q).slice(0, 300)) { const c = s.chunks[d]; tok += c.tokens; if (src.has(c.source) && (!pages || c.pages.some((p: number) => pages.has(p))) && (!q.quote || norm(c.text).includes(norm(q.quote)))) { at = tok; break } }
    Ns.forEach((N, i) => { if (at <= N) o.r[i]++ }) }
  console.log(s.name.padEnd(16), out.map((o: any) => o.r.map((x: number) => (x / o.n).toFixed(3)).join(" ")).join("  |  ")) }
