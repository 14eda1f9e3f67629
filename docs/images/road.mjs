/** `node docs/images/road.mjs` draws the road of a document: `road-light.svg` and `road-dark.svg`. */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const themes = {
  light: { ink: "#1f2328", soft: "#59636e", box: "#f6f8fa", edge: "#afb8c1", mark: "#0969da", keep: "#ddf4ff" },
  dark: { ink: "#f0f6fc", soft: "#9198a1", box: "#161b22", edge: "#3d444d", mark: "#4493f8", keep: "#0c2d6b" }
}

const stages = [
  ["discovery", "files, fingerprints"],
  ["plan", "compared with", "the ledger"],
  ["parse", "answer: Markdown,", "pages, blocks"],
  ["chunk", "spans, ids,", "tokens"],
  ["embed", "vectors"],
  ["sinks", "one call", "at a time"]
]

const width = 128
const step = 158
const top = 40

const text = (x, y, words, colour, size = 13, weight = 400, anchor = "middle") =>
  `<text x="${x}" y="${y}" fill="${colour}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${words}</text>`

const box = (x, y, w, h, fill, stroke) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" fill="${fill}" stroke="${stroke}"/>`

const arrow = (path, colour, dashed = false) =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6"${dashed ? ' stroke-dasharray="5 4"' : ""} marker-end="url(#end)"/>`

const left = (at) => 20 + at * step
const middle = (at) => left(at) + width / 2

const draw = ({ box: fill, edge, ink, keep, mark, soft }) => {
  const parts = [
    text(20, 24, "The road of a document, and the memory of a run", ink, 15, 600, "start"),
    ...stages.flatMap(([name, ...lines], at) => [
      box(left(at), top, width, 78, fill, edge),
      text(middle(at), top + 28, name, ink, 15, 600),
      ...lines.map((line, row) => text(middle(at), top + 48 + 16 * row, line, soft, 12)),
      ...(at === 0 ? [] : [arrow(`M ${left(at - 1) + width} ${top + 39} H ${left(at) - 6}`, ink)])
    ]),
    box(middle(2) - 64, 158, 128, 44, fill, mark),
    text(middle(2), 177, "gate", ink, 14, 600),
    text(middle(2), 194, "in flight, pace, outages", soft, 11),
    arrow(`M ${middle(2)} ${top + 78} V 152`, ink),
    box(middle(2) - 64, 242, 128, 44, fill, edge),
    text(middle(2), 261, "service", ink, 14, 600),
    text(middle(2), 278, "here, or over HTTP", soft, 11),
    arrow(`M ${middle(2)} 202 V 236`, ink),
    box(20, 330, left(5) + width - 20, 92, keep, edge),
    text(36, 352, "state folder", ink, 14, 600, "start"),
    ...[
      [1, "ledger", "what is stored where"],
      [2.5, "parse cache", "paid answers"],
      [4, "embedding cache", "paid vectors"]
    ].flatMap(([at, name, line]) => [text(middle(at), 382, name, ink, 13, 600), text(middle(at), 400, line, soft, 12)]),
    text(middle(5), 382, "dead letters", ink, 13, 600),
    text(middle(5), 400, "what failed", soft, 12),
    arrow(`M ${middle(1)} 366 V ${top + 84}`, mark),
    text(middle(1) + 8, 226, "unchanged?", soft, 12, 400, "start"),
    arrow(`M ${middle(2) + 79} ${top + 39} V 366`, mark, true),
    arrow(`M ${middle(4)} 366 V ${top + 84}`, mark, true),
    text(middle(4) - 8, 226, "known text?", soft, 12, 400, "end"),
    arrow(`M ${middle(5) - 40} ${top + 78} V 310 H ${middle(1) + 40} V 366`, mark),
    text(middle(4) - 10, 304, "1 announce · 2 write · 3 commit · 4 remove", soft, 11, 400, "end")
  ]
  const all = left(5) + width + 20
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all} 440" width="${all}" height="440" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif">`,
    '<title id="title">The road of a document</title>',
    '<desc id="description">Discovery, plan, parse, chunk, embed and sinks follow one another. Requests of parse pass the gate to the service. The ledger in the state folder tells the plan what is unchanged, the caches give parse and embed what was paid for, and each write to a sink is announced in the ledger before, and committed after.</desc>',
    `<defs><marker id="end" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="${ink}"/></marker></defs>`,
    ...parts,
    "</svg>",
    ""
  ].join("\n")
}

for (const [name, theme] of Object.entries(themes)) {
  writeFileSync(fileURLToPath(new URL(`road-${name}.svg`, import.meta.url)), draw(theme))
}
