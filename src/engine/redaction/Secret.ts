import * as Tally from "../Tally.ts"
/** Keys, tokens and passwords: by the shapes of well-known services, by the words before them, by their entropy. */
import type { Reading } from "./Reading.ts"
import type { Span } from "./Span.ts"

/** Shapes that services give to their keys; the first group, where there is one, is the secret. */
const shapes: ReadonlyArray<RegExp> = [
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{20,255}/g,
  /(?<!\w)github_pat_[A-Za-z0-9_]{22,255}/g,
  /(?<!\w)glpat-[\w-]{20,64}/g,
  /(?<!\w)(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}(?!\w)/g,
  /(?<!\w)(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,255}/g,
  /(?<!\w)sk-(?:proj-|ant-|svcacct-|or-)?[\w-]{20,255}/g,
  /(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,255}/g,
  /(?<!\w)xapp-[A-Za-z0-9-]{10,255}/g,
  /(?<!\w)AIza[\w-]{35}(?!\w)/g,
  /(?<!\w)ya29\.[\w-]{20,512}/g,
  /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g,
  /(?<!\w)pypi-[\w-]{50,512}/g,
  /(?<!\w)SG\.[\w-]{16,32}\.[\w-]{16,64}/g,
  /(?<!\w)hf_[A-Za-z0-9]{30,64}/g,
  /(?<!\w)dop_v1_[a-f0-9]{64}/g,
  /(?<!\w)shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g,
  /(?<!\w)fc-[a-f0-9]{32}(?!\w)/g,
  /(?<!\w)(?:key|SK|AC)[a-f0-9]{32}(?!\w)/g,
  /(?<![\w.-])eyJ[\w-]{8,4096}\.[\w-]{8,8192}(?:\.[\w-]{8,2048})?/g,
  /(?<!\w)AGE-SECRET-KEY-1[A-Z0-9]{58}/g,
  /https:\/\/hooks\.slack\.com\/services\/([\w/]{20,128})/g,
  /(?<=\b[a-z][a-z+.-]{1,20}:\/\/[^\s:/@]{0,64}:)[^\s/@]{3,128}(?=@)/gi,
  /\b(?:Bearer|Basic|Token)\s+([\w.~+/-]{16,4096}={0,2})/g
]

/** A key of Amazon's, which is given next to its id. */
const amazonId = /(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/g

const amazonKey = /(?<![\w/+=])[A-Za-z0-9/+]{40}(?![\w/+=])/

/** Characters after the id of a key in which its secret may begin. */
const nearKey = 80

/** Characters of the longest key block. */
const longestBlock = 20_000

const keyEnd = /-----END [A-Z ]{0,40}-----/g

const keyBlock = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g

/** Words after which a secret is given in running text. */
const named =
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|token|api.?keys?|passwort|kennwort|schl[üu]ssel|mot de passe|jeton|contrase[ñn]a|secreto|parola d'ordine|segreto|wachtwoord|l[öo]senord|adgangskode|passord|salasana|jelsz[óo]|пароль|パスワード|暗証番号|密码|密碼|비밀번호|(?<!\p{L})(?:pin|keys?|mdp|cl[ée]|clave|llave|senha|chave|chiave|sleutel|has[łl]o|heslo))(?!\p{L})/giu

/** From such a word to the value: at most some words, then `:`, `=` or a verb. */
const lead =
  /^[\w-]{0,24}["']?(?: (?!(?:is|ist|lautet|est|es|è)\b)[\p{L}-]{1,16}){0,5}["']?\s{0,3}(?::=|=>|[:=]|\b(?:is|was|ist|lautet|est|es|è|é|jest|är|er)\s)\s{0,3}["'“„«`(]?/u

const token = /^[^\s"'“”„«»`<>|]{4,256}/

const trailing = /[.,;:)\]}]+$/

const placeholder =
  /^(?:\*+|x{3,}|\.{3,}|null|none|true|false|undefined|required|optional|string|\$\{.*|\{\{.*|%.*%|<.*)$/i

/** Number of kinds of signs: lower case, upper case, digits, others. */
const kinds = (text: string): number => [/[a-z]/, /[A-Z]/, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text)).length

const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const sign of text) Tally.add(counts, sign)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** A call or a member of an object, in an example of code. */
const code = /^[\w$.]+\(|\)\.|^(?:process|config|options|env|this)\./

/** Kind of value that the word before it announces: a password may be short and pronounceable, a key is not. */
type Promised = "password" | "token" | "other"

const looksSecret = (value: string, promised: Promised, eager: boolean): boolean => {
  if (placeholder.test(value) || /^(?:https?|file):/i.test(value)) return false
  if (promised === "password") return kinds(value) >= 2 && (eager || (/[\d\W_]/.test(value) && !code.test(value)))
  if (code.test(value)) return false
  if (promised === "token") return /\d/.test(value) && (kinds(value) >= 3 ? value.length >= 10 : value.length >= 16)
  return value.length >= 12 && kinds(value) >= 2 && /\d/.test(value)
}

/** Blocks up to their ends; only the first line where no end follows soon. */
const keyBlocks = (text: string): ReadonlyArray<Span> => {
  const begins = [...text.matchAll(keyBlock)]
  const ends = begins.length === 0 ? [] : Array.from(text.matchAll(keyEnd), (match) => match.index + match[0].length)
  let at = 0
  return begins.map((match) => {
    while (at < ends.length && (ends[at] ?? 0) < match.index) at += 1
    const end = ends[at]
    const near = end !== undefined && end - match.index <= longestBlock
    return { entity: "SECRET", start: match.index, end: near ? end : match.index + match[0].length }
  })
}

const knownShapes = (text: string): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const inner = match[1] ?? match[0]
      const start = match.index + match[0].length - inner.length
      found.push({ entity: "SECRET", start, end: start + inner.length })
    }
  }
  for (const { 0: id, index } of text.matchAll(amazonId)) {
    const from = index + id.length
    const near = amazonKey.exec(text.slice(from, from + nearKey + 40))
    if (near !== null) found.push({ entity: "SECRET", start: from + near.index, end: from + near.index + 40 })
  }
  found.push(...keyBlocks(text))
  return found
}

const valueOf = (text: string, at: number, promised: Promised, eager: boolean): Span | undefined => {
  const found = token.exec(text.slice(at, at + 257))?.[0] ?? ""
  const value = (promised === "password" ? found : (found.split(/[)\]}&]/, 1)[0] ?? "")).replace(trailing, "")
  return value.length >= 4 && looksSecret(value, promised, eager)
    ? { entity: "SECRET", start: at, end: at + value.length }
    : undefined
}

/** Words that name a key and other things too, and words for tokens. */
const promisedBy: ReadonlyArray<readonly [Promised, RegExp]> = [
  ["other", /^(?:keys?|schl[üu]ssel|cl[ée]|clave|llave|chave|chiave|sleutel|pin)$/i],
  ["token", /token|secret|jeton|key|secreto|segreto/i]
]

const promised = (word: string): Promised => promisedBy.find(([, pattern]) => pattern.test(word))?.[0] ?? "password"

const inText = (text: string, eager: boolean): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const match of text.matchAll(named)) {
    const from = match.index + match[0].length
    const between = lead.exec(text.slice(from, from + 120))
    const span = between === null ? undefined : valueOf(text, from + between[0].length, promised(match[0]), eager)
    if (span !== undefined) found.push(span)
  }
  return found
}

const inFields = ({ eager, fields, text }: Reading): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const { label, start } of fields) {
    if (label?.entity !== "SECRET") continue
    const span = valueOf(text, start, label.sure ? promised(label.words) : "other", eager)
    if (span !== undefined) found.push(span)
  }
  return found
}

const run = /(?<![\w./+=-])[A-Za-z0-9+/_-]{24,128}={0,2}(?![\w./+=-])/g

/** Bits per sign; random base64 of 24 signs has at least this. */
const leastEntropy = 3.9

/** Runs that look random: three kinds of signs and much entropy. Digests in hexadecimal have two kinds. */
const random = (text: string): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const match of text.matchAll(run)) {
    const [value] = match
    if (
      /[a-z]/.test(value) &&
      /[A-Z]/.test(value) &&
      /\d/.test(value) &&
      !/^[A-Za-z]+(?:[-_/][A-Za-z]+)+\d*$/.test(value) &&
      entropy(value) >= leastEntropy
    ) {
      found.push({ entity: "SECRET", start: match.index, end: match.index + value.length })
    }
  }
  return found
}

export interface Found {
  /** Values of a known shape. */
  readonly certain: ReadonlyArray<Span>
  /** After a word for a secret; and, in `aggressive`, of high entropy. */
  readonly likely: ReadonlyArray<Span>
}

/** Linear: at each place a bounded number of characters is read. */
export const find = (reading: Reading): Found => {
  const { eager, text } = reading
  return {
    certain: knownShapes(text),
    likely: [...inFields(reading), ...inText(text, eager), ...(eager ? random(text) : [])]
  }
}
