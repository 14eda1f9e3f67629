/**
 * Operators and constants of content markup of MathML, with their TeX.
 *
 * Source: MathML 3, chapter 4.
 */

export const constants: Readonly<Record<string, string>> = {
  pi: "\\pi",
  exponentiale: "e",
  imaginaryi: "i",
  eulergamma: "\\gamma",
  infinity: "\\infty",
  emptyset: "\\emptyset",
  reals: "\\mathbb{R}",
  integers: "\\mathbb{Z}",
  naturalnumbers: "\\mathbb{N}",
  rationals: "\\mathbb{Q}",
  complexes: "\\mathbb{C}",
  primes: "\\mathbb{P}",
  true: "\\mathrm{true}",
  false: "\\mathrm{false}",
  notanumber: "\\mathrm{NaN}"
}

/** Operators between their arguments, and how tightly they bind. */
export const infix: Readonly<Record<string, readonly [tex: string, binds: number]>> = {
  implies: [" \\Rightarrow ", 1],
  equivalent: [" \\equiv ", 1],
  or: [" \\lor ", 2],
  xor: [" \\oplus ", 2],
  and: [" \\land ", 3],
  eq: [" = ", 4],
  neq: [" \\neq ", 4],
  lt: [" < ", 4],
  leq: [" \\leq ", 4],
  gt: [" > ", 4],
  geq: [" \\geq ", 4],
  approx: [" \\approx ", 4],
  factorof: [" \\mid ", 4],
  in: [" \\in ", 4],
  notin: [" \\notin ", 4],
  subset: [" \\subseteq ", 4],
  prsubset: [" \\subset ", 4],
  notsubset: [" \\not\\subseteq ", 4],
  tendsto: [" \\to ", 4],
  union: [" \\cup ", 5],
  intersect: [" \\cap ", 5],
  setdiff: [" \\setminus ", 5],
  plus: [" + ", 6],
  minus: [" - ", 6],
  times: [" ", 7],
  cartesianproduct: [" \\times ", 7],
  vectorproduct: [" \\times ", 7],
  scalarproduct: [" \\cdot ", 7],
  outerproduct: [" \\otimes ", 7],
  compose: [" \\circ ", 7],
  rem: [" \\bmod ", 7]
}

/** Operators before their arguments. */
export const functionNames: Readonly<Record<string, string>> = {
  ln: "\\ln",
  determinant: "\\det",
  real: "\\Re",
  imaginary: "\\Im",
  divergence: "\\nabla \\cdot",
  grad: "\\nabla",
  curl: "\\nabla \\times",
  laplacian: "\\nabla^2"
}

/** Delimiters of an interval, by its closure. */
export const intervals: Readonly<Record<string, readonly [string, string]>> = {
  open: ["(", ")"],
  "open-closed": ["(", "]"],
  "closed-open": ["[", ")"],
  closed: ["[", "]"]
}
