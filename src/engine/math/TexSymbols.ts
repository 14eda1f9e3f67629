/**
 * TeX commands for the characters of formulas.
 *
 * Source: the names of `unicode-math` and AMS-LaTeX for the code points of Unicode.
 */

/** Pairs of a character and its command, separated by white space. */
const pairs = (list: string): ReadonlyArray<readonly [character: string, command: string]> =>
  list
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [character = ""] = pair
      return [character, pair.slice(character.length)] as const
    })

const letters = pairs(`
  α\\alpha β\\beta γ\\gamma δ\\delta ε\\varepsilon ζ\\zeta η\\eta θ\\theta ι\\iota κ\\kappa λ\\lambda μ\\mu ν\\nu ξ\\xi οo
  π\\pi ρ\\rho ς\\varsigma σ\\sigma τ\\tau υ\\upsilon φ\\varphi χ\\chi ψ\\psi ω\\omega ϑ\\vartheta ϕ\\phi ϖ\\varpi ϱ\\varrho
  ϵ\\epsilon ϰ\\varkappa ϝ\\digamma Γ\\Gamma Δ\\Delta Θ\\Theta Λ\\Lambda Ξ\\Xi Π\\Pi Σ\\Sigma Υ\\Upsilon Φ\\Phi Ψ\\Psi Ω\\Omega
  µ\\mu ℏ\\hbar ℓ\\ell ℘\\wp ℑ\\Im ℜ\\Re ℵ\\aleph ℶ\\beth ℷ\\gimel ℸ\\daleth ı\\imath ȷ\\jmath Å\\mathring{A}
  ∂\\partial ∇\\nabla ∞\\infty ∅\\emptyset ∀\\forall ∃\\exists ∄\\nexists ¬\\neg ⊤\\top ⊥\\bot ∠\\angle ∡\\measuredangle ∆\\Delta
  ℂ\\mathbb{C} ℍ\\mathbb{H} ℕ\\mathbb{N} ℙ\\mathbb{P} ℚ\\mathbb{Q} ℝ\\mathbb{R} ℤ\\mathbb{Z} ℬ\\mathcal{B} ℰ\\mathcal{E}
  ℱ\\mathcal{F} ℋ\\mathcal{H} ℐ\\mathcal{I} ℒ\\mathcal{L} ℳ\\mathcal{M} ℛ\\mathcal{R} ℊ\\mathcal{g} ℯ\\mathcal{e} ℴ\\mathcal{o}
  ℭ\\mathfrak{C} ℌ\\mathfrak{H} ℨ\\mathfrak{Z} ℎh ⅆd ⅇe ⅈi ⅉj ⅅD □\\square ◻\\square ■\\blacksquare △\\triangle ▲\\blacktriangle
  ♠\\spadesuit ♡\\heartsuit ♢\\diamondsuit ♣\\clubsuit ♭\\flat ♮\\natural ♯\\sharp ✓\\checkmark °{}^{\\circ}
  …\\ldots ⋯\\cdots ⋮\\vdots ⋱\\ddots ′' ″'' ‴''' ‵\\backprime %\\% #\\# $\\$ &\\& _\\_ \\\\backslash
`)

const binary = pairs(`
  ++ -- −- ±\\pm ∓\\mp ×\\times ÷\\div ⋅\\cdot ·\\cdot ∙\\cdot •\\bullet ∗* ** ⋆\\star ∘\\circ ∖\\setminus ⊕\\oplus ⊖\\ominus
  ⊗\\otimes ⊘\\oslash ⊙\\odot ⊞\\boxplus ⊟\\boxminus ⊠\\boxtimes ⊡\\boxdot ∧\\land ⋀\\bigwedge ∨\\lor ∩\\cap ∪\\cup ⊓\\sqcap ⊔\\sqcup
  ⊎\\uplus ≀\\wr ⋄\\diamond ⨯\\times ⋉\\ltimes ⋊\\rtimes ⊻\\veebar †\\dagger ‡\\ddagger ⊲\\triangleleft ⊳\\triangleright
`)

const relations = pairs(`
  == << >> ≠\\neq ≡\\equiv ≢\\not\\equiv ≈\\approx ≉\\not\\approx ≃\\simeq ≅\\cong ≇\\ncong ∼\\sim ≁\\nsim ∝\\propto ≤\\leq ≦\\leqq ⩽\\leqslant
  ≥\\geq ≧\\geqq ⩾\\geqslant ≪\\ll ≫\\gg ≮\\nless ≯\\ngtr ≰\\nleq ≱\\ngeq ≲\\lesssim ≳\\gtrsim ≶\\lessgtr ≷\\gtrless ≺\\prec ≻\\succ
  ⪯\\preceq ⪰\\succeq ≼\\preccurlyeq ≽\\succcurlyeq ∈\\in ∉\\notin ∋\\ni ∌\\not\\ni ⊂\\subset ⊃\\supset ⊄\\not\\subset ⊅\\not\\supset ⊆\\subseteq ⊇\\supseteq
  ⊈\\nsubseteq ⊉\\nsupseteq ⊊\\subsetneq ⊋\\supsetneq ⊏\\sqsubset ⊐\\sqsupset ⊑\\sqsubseteq ⊒\\sqsupseteq ⊢\\vdash ⊣\\dashv
  ⊨\\models ⊩\\Vdash ⊬\\nvdash ⊭\\nvDash ∣\\mid ∤\\nmid ∥\\parallel ∦\\nparallel ⟂\\perp ≍\\asymp ≐\\doteq ≔\\coloneqq ≕\\eqqcolon
  ≜\\triangleq ≝\\overset{\\mathrm{def}}{=} ≟\\overset{?}{=} ⋈\\bowtie ⌢\\frown ⌣\\smile
  →\\to ←\\leftarrow ↔\\leftrightarrow ⇒\\Rightarrow ⇐\\Leftarrow ⇔\\Leftrightarrow ↦\\mapsto ↑\\uparrow ↓\\downarrow ↕\\updownarrow
  ⇑\\Uparrow ⇓\\Downarrow ⇕\\Updownarrow ⟶\\longrightarrow ⟵\\longleftarrow ⟷\\longleftrightarrow ⟹\\Longrightarrow ⟸\\Longleftarrow
  ⟺\\Longleftrightarrow ⟼\\longmapsto ↪\\hookrightarrow ↩\\hookleftarrow ↠\\twoheadrightarrow ↣\\rightarrowtail ↗\\nearrow ↘\\searrow
  ↙\\swarrow ↖\\nwarrow ⇌\\rightleftharpoons ⇋\\leftrightharpoons ⇀\\rightharpoonup ⇁\\rightharpoondown ↼\\leftharpoonup
  ↽\\leftharpoondown ↛\\nrightarrow ↚\\nleftarrow ⇏\\nRightarrow ⇍\\nLeftarrow ⇝\\rightsquigarrow ↝\\leadsto ∴\\therefore ∵\\because
`)

const large = pairs(`
  ∑\\sum ∏\\prod ∐\\coprod ∫\\int ∬\\iint ∭\\iiint ∮\\oint ∯\\oiint ⋂\\bigcap ⋃\\bigcup ⋁\\bigvee ⨁\\bigoplus ⨂\\bigotimes ⨀\\bigodot
  ⨄\\biguplus ⨆\\bigsqcup
`)

const openings = pairs(
  "(( [[ {\\{ ⟨\\langle 〈\\langle ⌈\\lceil ⌊\\lfloor ⟦\\llbracket ⟮\\lgroup ⦃\\{ ⌜\\ulcorner ⌞\\llcorner"
)

const closings = pairs(
  ")) ]] }\\} ⟩\\rangle 〉\\rangle ⌉\\rceil ⌋\\rfloor ⟧\\rrbracket ⟯\\rgroup ⦄\\} ⌝\\urcorner ⌟\\lrcorner"
)

const bars = pairs("|| ‖\\Vert ∥\\Vert ∣|")

/** Characters that are not shown, or only as space. */
const spaces: ReadonlyArray<readonly [string, string]> = [
  ["\u2061", ""],
  ["\u2062", ""],
  ["\u2063", ""],
  ["\u2064", ""],
  ["\u200B", ""],
  ["\u2060", ""],
  ["\uFE0E", ""],
  ["\uFE0F", ""],
  ["\u00A0", "\\ "],
  ["\u2003", "\\quad "],
  ["\u2002", "\\ "],
  ["\u2005", "\\:"],
  ["\u2004", "\\;"],
  ["\u2009", "\\,"],
  ["\u200A", "\\,"],
  ["\u202F", "\\,"],
  ["\u205F", "\\:"]
]

/** Part that a character plays in a formula; letters, digits and all others are operands. */
export type Role = "operand" | "binary" | "relation" | "large" | "open" | "close" | "bar" | "space"

const table = new Map<string, { readonly command: string; readonly role: Role }>()

const lists: ReadonlyArray<readonly [Role, ReadonlyArray<readonly [string, string]>]> = [
  ["operand", letters],
  ["binary", binary],
  ["relation", relations],
  ["large", large],
  ["open", openings],
  ["close", closings],
  ["space", spaces]
]

for (const [role, list] of lists) {
  for (const [character, command] of list) {
    table.set(character, { command, role })
  }
}

const barCommands = new Map(bars)

/** The TeX command for a character; the character itself when it has none. */
export const command = (character: string): string =>
  table.get(character)?.command ?? barCommands.get(character) ?? character

export const role = (text: string): Role => table.get(text)?.role ?? (barCommands.has(text) ? "bar" : "operand")

/** The delimiter after `\left` and `\right`; undefined for any other text. The empty text is the invisible delimiter. */
export const delimiter = (text: string): string | undefined => {
  if (text === "") return "."
  const bar = barCommands.get(text)
  if (bar !== undefined) return bar
  const known = table.get(text)
  return known?.role === "open" || known?.role === "close" ? known.command : text === "/" ? text : undefined
}

/** Functions that TeX has commands for. */
const functions = new Set(
  `arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec
   sin sinh sup tan tanh`.split(/\s+/)
)

/** Functions that TeX has no commands for and that take their limits below. */
const limitNames = new Set(["argmax", "argmin", "esssup", "essinf", "colim"])

/** TeX of a name of several letters: `\sin`, or `\mathrm{rank}`. */
export const named = (name: string): string =>
  functions.has(name) ? `\\${name}` : limitNames.has(name) ? `\\operatorname*{${name}}` : `\\mathrm{${name}}`

/** True for functions that take their limits below and above. */
export const takesLimits = (tex: string): boolean =>
  /^\\(?:(?:lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr)$|operatorname\*)/.test(tex)

const over: Readonly<Record<string, readonly [narrow: string, wide: string]>> = {
  "^": ["hat", "widehat"],
  ˆ: ["hat", "widehat"],
  "̂": ["hat", "widehat"],
  "~": ["tilde", "widetilde"],
  "˜": ["tilde", "widetilde"],
  "∼": ["tilde", "widetilde"],
  "̃": ["tilde", "widetilde"],
  "¯": ["bar", "overline"],
  "‾": ["bar", "overline"],
  ˉ: ["bar", "overline"],
  _: ["bar", "overline"],
  "―": ["bar", "overline"],
  "̅": ["bar", "overline"],
  "̄": ["bar", "overline"],
  "-": ["bar", "overline"],
  "−": ["bar", "overline"],
  "→": ["vec", "overrightarrow"],
  "⃗": ["vec", "overrightarrow"],
  "⇀": ["vec", "overrightarrow"],
  "←": ["overleftarrow", "overleftarrow"],
  "⃖": ["overleftarrow", "overleftarrow"],
  "↔": ["overleftrightarrow", "overleftrightarrow"],
  ".": ["dot", "dot"],
  "˙": ["dot", "dot"],
  "̇": ["dot", "dot"],
  "¨": ["ddot", "ddot"],
  "̈": ["ddot", "ddot"],
  "⃛": ["dddot", "dddot"],
  ˇ: ["check", "check"],
  "̌": ["check", "check"],
  "˘": ["breve", "breve"],
  "̆": ["breve", "breve"],
  "´": ["acute", "acute"],
  "́": ["acute", "acute"],
  "`": ["grave", "grave"],
  "̀": ["grave", "grave"],
  "˚": ["mathring", "mathring"],
  "̊": ["mathring", "mathring"],
  "⏞": ["overbrace", "overbrace"],
  "⏜": ["overparen", "overparen"],
  "⎴": ["overbracket", "overbracket"]
}

const under: Readonly<Record<string, string>> = {
  _: "underline",
  "¯": "underline",
  "‾": "underline",
  "̲": "underline",
  "̱": "underline",
  "-": "underline",
  "−": "underline",
  "→": "underrightarrow",
  "←": "underleftarrow",
  "⏟": "underbrace",
  "⏝": "underparen",
  "⎵": "underbracket"
}

/**
 * Command of an accent above or below a base, without its backslash; undefined for other texts. `wide` asks for the accent that stretches over
 * several letters.
 */
export const accent = (text: string, place: "over" | "under", wide: boolean): string | undefined =>
  place === "under"
    ? Object.hasOwn(under, text)
      ? under[text]
      : undefined
    : Object.hasOwn(over, text)
      ? over[text]?.[wide ? 1 : 0]
      : undefined

/** Arrows that stretch below a label: the command without its backslash. */
export const labelledArrow = (text: string): string | undefined =>
  ({
    "→": "xrightarrow",
    "⟶": "xrightarrow",
    "←": "xleftarrow",
    "⟵": "xleftarrow",
    "↔": "xleftrightarrow",
    "⇌": "xrightleftharpoons",
    "⇒": "xRightarrow",
    "⇐": "xLeftarrow",
    "⇔": "xLeftrightarrow",
    "↦": "xmapsto"
  })[text]
