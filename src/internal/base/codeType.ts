/** Source code by the extensions of its files in lower case: the grammar of each. */
const grammars = {
  bash: "bash",
  bats: "bash",
  c: "cpp",
  cc: "cpp",
  cjs: "javascript",
  cpp: "cpp",
  cs: "c-sharp",
  cts: "typescript",
  cxx: "cpp",
  go: "go",
  h: "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  java: "java",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  mts: "typescript",
  php: "php",
  ps1: "powershell",
  psm1: "powershell",
  py: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  ts: "typescript",
  tsx: "tsx"
} as const

export type Grammar = (typeof grammars)[keyof typeof grammars]

const isCode = (extension: string): extension is keyof typeof grammars => Object.hasOwn(grammars, extension)

/** The grammar of source code with that extension; undefined for what is no source code, or in a language without one. */
export const grammarOf = (extension: string): Grammar | undefined =>
  isCode(extension) ? grammars[extension] : undefined
