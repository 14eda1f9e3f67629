/** Names of the options that messages mention: as programs, the command line and the page spell them. */

/** A member of the options of `Async` and of the services; `.` leads into an object. */
export type OptionName =
  | "allowPrivate"
  | "allowRemovals"
  | "apiKey"
  | "beside"
  | "budget"
  | "budget.credits"
  | "budget.pages"
  | "chunker"
  | "claim"
  | "embedder"
  | "endpoint"
  | "expand"
  | "gitignore"
  | "ignore"
  | "maxCredits"
  | "maxTokens"
  | "mode"
  | "model"
  | "name"
  | "newRoot"
  | "ocrLanguages"
  | "ordered"
  | "outageLimit"
  | "parseOptions"
  | "rebuild"
  | "rechunk"
  | "rerank"
  | "root"
  | "service"
  | "state"
  | "tenant"
  | "to"

/** Flags that are not the name of an option in kebab case. */
const flags: ReadonlyMap<string, string> = new Map([
  ["budget undefined", "--budget-pages and --budget-credits"],
  ["claim adopt", "--adopt"],
  ["claim shared", "--shared"]
])

/** Spelling of an option, and of the value to give, as a flag. */
export const flagOf = (name: string, value?: string): string => {
  const kebab = name.replaceAll(".", "-").replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
  return flags.get(`${name} ${value}`) ?? `--${kebab}${value === undefined ? "" : ` ${value}`}`
}

/** Labels of the options that the page of the server shows. */
export const labels = {
  chunker: "Chunker",
  maxTokens: "Max tokens",
  minTokens: "Min tokens",
  overlap: "Overlap",
  tokenizer: "Tokenizer",
  maxPages: "Max pages"
} as const

/** The label of an option on the page; undefined for one that it does not show. */
export const labelOf = (name: string): string | undefined =>
  Object.entries(labels).find(([shown]) => shown === name)?.[1]
