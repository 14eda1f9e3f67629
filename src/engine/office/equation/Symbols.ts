/**
 * LaTeX for the characters of equations.
 *
 * @since 0.1.0
 */

/** Commands by character; those of Greek letters are computed from their names. */
const commands: Readonly<Record<string, string>> = {
  "\\": "backslash",
  "|": "vert",
  "‖": "Vert",
  "∥": "parallel",
  "~": "sim",
  "±": "pm",
  "∓": "mp",
  "×": "times",
  "÷": "div",
  "⋅": "cdot",
  "·": "cdot",
  "∙": "cdot",
  "∗": "ast",
  "⋆": "star",
  "∘": "circ",
  "≤": "leq",
  "≥": "geq",
  "≠": "neq",
  "≈": "approx",
  "≅": "cong",
  "≃": "simeq",
  "≡": "equiv",
  "∝": "propto",
  "∼": "sim",
  "≪": "ll",
  "≫": "gg",
  "≺": "prec",
  "≻": "succ",
  "≔": "coloneqq",
  "∞": "infty",
  "∂": "partial",
  "∇": "nabla",
  "∆": "Delta",
  "√": "surd",
  "∀": "forall",
  "∃": "exists",
  "∄": "nexists",
  "¬": "neg",
  "∧": "wedge",
  "∨": "vee",
  "⊕": "oplus",
  "⊗": "otimes",
  "⊙": "odot",
  "⊥": "bot",
  "⊤": "top",
  "⊢": "vdash",
  "⊨": "models",
  "∈": "in",
  "∉": "notin",
  "∋": "ni",
  "⊂": "subset",
  "⊃": "supset",
  "⊆": "subseteq",
  "⊇": "supseteq",
  "∪": "cup",
  "∩": "cap",
  "∅": "emptyset",
  "∖": "setminus",
  "→": "rightarrow",
  "←": "leftarrow",
  "↔": "leftrightarrow",
  "⇒": "Rightarrow",
  "⇐": "Leftarrow",
  "⇔": "Leftrightarrow",
  "↦": "mapsto",
  "↑": "uparrow",
  "↓": "downarrow",
  "⟶": "longrightarrow",
  "⟹": "Longrightarrow",
  "⇌": "rightleftharpoons",
  "…": "ldots",
  "⋯": "cdots",
  "⋮": "vdots",
  "⋱": "ddots",
  "∴": "therefore",
  "∵": "because",
  "∠": "angle",
  "△": "triangle",
  "□": "square",
  "†": "dagger",
  "′": "prime",
  "″": "prime\\prime",
  ℏ: "hbar",
  ℓ: "ell",
  ℜ: "Re",
  ℑ: "Im",
  ℵ: "aleph",
  ℝ: "mathbb{R}",
  ℕ: "mathbb{N}",
  ℤ: "mathbb{Z}",
  ℚ: "mathbb{Q}",
  ℂ: "mathbb{C}",
  ℙ: "mathbb{P}",
  "°": "circ",
  "∑": "sum",
  "∏": "prod",
  "∐": "coprod",
  "∫": "int",
  "∬": "iint",
  "∭": "iiint",
  "∮": "oint",
  "⋃": "bigcup",
  "⋂": "bigcap",
  "⋁": "bigvee",
  "⋀": "bigwedge",
  "⨁": "bigoplus",
  "⨂": "bigotimes",
  "⟨": "langle",
  "⟩": "rangle",
  "〈": "langle",
  "〉": "rangle",
  "⌈": "lceil",
  "⌉": "rceil",
  "⌊": "lfloor",
  "⌋": "rfloor",
  ϵ: "epsilon",
  ϕ: "phi",
  ϑ: "vartheta",
  ϱ: "varrho",
  ϖ: "varpi"
}

/** Names of the Greek letters from alpha on; Unicode orders both cases alike. */
const greek =
  "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon varphi chi psi omega".split(
    " "
  )

/** Capital letters that have a command; the others look like Latin ones. */
const capitals = new Set(["gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "psi", "omega"])

const greekCommand = (character: string): string | undefined => {
  const code = character.codePointAt(0) ?? 0
  const small = greek[code - 0x3b1]
  if (small !== undefined) return small === "omicron" ? undefined : small
  const capital = greek[code - 0x391]?.replace(/^var/u, "")
  if (code === 0x3a6) return "Phi"
  return capital !== undefined && capitals.has(capital) ? capital[0]?.toUpperCase() + capital.slice(1) : undefined
}

const escaped: Readonly<Record<string, string>> = {
  "{": "\\{",
  "}": "\\}",
  "%": "\\%",
  "#": "\\#",
  "&": "\\&",
  _: "\\_",
  $: "\\$",
  "^": "\\hat{}",
  "−": "-",
  "=": " = ",
  "<": " < ",
  ">": " > ",
  "+": " + ",
  "\u2061": "",
  "\u2062": "",
  "\u2063": "",
  "\u2064": "",
  "\u200b": "",
  "\u00a0": "\\ ",
  "\u2003": "\\quad ",
  "\n": " ",
  "\r": " ",
  "\t": " "
}

const functions =
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split(
    " "
  )

/**
 * Names of functions that LaTeX has commands for.
 *
 * @since 0.1.0
 * @category models
 */
export const functionNames: ReadonlySet<string> = new Set(functions)

const mathematicalAlphabet = /[\u{1d400}-\u{1d7ff}]/gu

/** Letters of the mathematical alphabets as plain letters: LaTeX's default is the same italics. */
const plain = (text: string): string =>
  text.replaceAll(mathematicalAlphabet, (character) => character.normalize("NFKC"))

/**
 * A text of an equation as LaTeX, each character by itself. A command ends with a space where a letter could follow.
 *
 * @since 0.1.0
 * @category transformations
 */
export const latex = (text: string): string =>
  Array.from(plain(text), (character) => {
    const own = escaped[character]
    if (own !== undefined) return own
    const command = commands[character] ?? greekCommand(character)
    if (command === undefined) return character
    return character === "°" ? "^{\\circ}" : command.endsWith("}") ? `\\${command}` : `\\${command} `
  }).join("")

/**
 * Words in an equation, as LaTeX text.
 *
 * @since 0.1.0
 * @category transformations
 */
export const words = (text: string): string =>
  `\\text{${text.replaceAll(/[\\{}%#&_$^~|\n\r]/gu, (character) =>
    character === "\\"
      ? "\\textbackslash "
      : /[%#&_${}]/u.test(character)
        ? `\\${character}`
        : character === "|"
          ? "\\textbar "
          : " "
  )}}`

/** Delimiters for `\left` and `\right`. */
const delimiters: Readonly<Record<string, string>> = {
  "": ".",
  "{": "\\{",
  "}": "\\}",
  "|": "\\vert ",
  "∣": "\\vert ",
  "‖": "\\Vert ",
  "∥": "\\Vert ",
  "⟦": "[\\![",
  "⟧": "]\\!]"
}

/**
 * A delimiter as it follows `\left` or `\right`.
 *
 * @since 0.1.0
 * @category transformations
 */
export const delimiter = (character: string): string => delimiters[character] ?? latex(character)

const accents: Readonly<Record<string, string>> = {
  "\u0300": "grave",
  "`": "grave",
  "\u0301": "acute",
  "´": "acute",
  "\u0302": "hat",
  "^": "hat",
  ˆ: "hat",
  "\u0303": "tilde",
  "~": "tilde",
  "˜": "tilde",
  "\u0304": "bar",
  "¯": "bar",
  "\u0305": "overline",
  "‾": "overline",
  _: "underline",
  "\u0306": "breve",
  "˘": "breve",
  "\u0307": "dot",
  "˙": "dot",
  "\u0308": "ddot",
  "¨": "ddot",
  "\u030a": "mathring",
  "\u030c": "check",
  ˇ: "check",
  "\u20d6": "overleftarrow",
  "\u20d7": "vec",
  "→": "vec",
  "\u20db": "dddot",
  "\u20e1": "overleftrightarrow",
  "\u0332": "underline",
  "⏞": "overbrace",
  "⏟": "underbrace",
  "←": "overleftarrow",
  "↔": "overleftrightarrow"
}

/**
 * The command that sets a character over or under a formula; undefined when there is none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const accent = (character: string): string | undefined => accents[character]
