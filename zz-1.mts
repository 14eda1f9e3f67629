import * as S from "./zz-sim.mts"
const names = (process.argv[2] ?? "cranfield,sec-10-q-512,sec-10-q-128,xquad-en,xquad-de").split(",")
const variants: Record<string, any> = {
  "both drop (today)": { terms: "both", idle: "drop" },
  "stem drop": { terms: "stem", idle: "drop" },
  "max drop": { terms: "max", idle: "drop" },
  "max keep": { terms: "max", idle: "keep" },
  "max .3": { terms: "max", idle: 0.3 },
  "max plus drop": { terms: "max", idle: "drop", plus: true },
  "max drop k.9 b.4": { terms: "max", idle: "drop", k1: 0.9, b: 0.4 },
  "max drop k2 b.75": { terms: "max", idle: "drop", k1: 2 },
  "max drop parts .5 chains .5": { terms: "max", idle: "drop", parts: 0.5, chains: 0.5 },
  "max drop parts 0 chains 0": { terms: "max", idle: "drop", parts: 0, chains: 0 },
  "max w 1 2 2": { terms: "max", idle: "drop", w: [1, 2, 2] },
  "max w 1 .5 1": { terms: "max", idle: "drop", w: [1, 0.5, 1] },
  "max w 1 1 4": { terms: "max", idle: "drop", w: [1, 1, 4] },
}
for (const s of S.sets(names)) {
  console.log("==", s.name, s.chunks.length, s.questions.length)
  for (const [name, v] of Object.entries(variants)) { const ix = S.index(s, v); S.show(name, S.measure(s, (q) => S.search(s, ix, q, v))) }
}
