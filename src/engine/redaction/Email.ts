/** E-mail addresses. */
import type { Reading } from "./Reading.ts"
import type { Span } from "./Span.ts"

const localSign = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u

/** Signs that an address may have but that rather belong to the text before it. */
const outer = /^[^\p{L}\p{N}_+]+/u

const domain = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}))*)/u

const topLevel = /\.(?:\p{L}{2,24}|xn--[a-z0-9-]{2,58})$/u

/** `icon@2x.png` names a file. */
const file = /\.(?:png|jpe?g|gif|svg|webp|pdf|js|mjs|ts|css|map|json|ya?ml|md|txt|zip)$/i

/** Longest local part and domain. */
const most = { local: 64, domain: 253 }

const around = (text: string, at: number): Span | undefined => {
  let start = at
  while (start > 0 && at - start < most.local && localSign.test(text[start - 1] ?? "")) start -= 1
  const local = text.slice(start, at)
  // The address of a mailto link, a parameter's value, a path: the address begins after the last such sign.
  const inner = local
    .slice(Math.max(local.lastIndexOf("/"), local.lastIndexOf("="), local.lastIndexOf("|"), local.lastIndexOf("`")) + 1)
    .replace(outer, "")
  const host = domain.exec(text.slice(at + 1, at + 1 + most.domain))?.[0].replace(/[.-]+$/, "") ?? ""
  const credential = text.slice(Math.max(0, at - inner.length - 80), at - inner.length)
  if (inner === "" || !topLevel.test(host) || file.test(host) || /:\/\/[^\s/@]*:$/.test(credential)) return undefined
  return { entity: "EMAIL", start: at - inner.length, end: at + 1 + host.length }
}

const spelled =
  /[\p{L}\p{N}._+-]{1,64} ?(?:\(at\)|\[at\]|\{at\}|\(@\)|\[@\]) ?[\p{L}\p{N}-]{1,63}(?: ?(?:\(dot\)|\[dot\]|\{dot\}|\(punkt\)|\[punkt\]|\.) ?[\p{L}\p{N}-]{1,63}){1,4}/giu

/** `ada (at) example (dot) org`, found from each mark to both sides. */
const spelledOut = (text: string): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const mark of text.matchAll(/[([{](?:at|@)[)\]}]/gi)) {
    const from = Math.max(0, mark.index - 66)
    const part = text.slice(from, mark.index + 300)
    for (const match of part.matchAll(spelled)) {
      const start = from + match.index
      if (start < mark.index && start + match[0].length > mark.index) {
        found.push({ entity: "EMAIL", start, end: start + match[0].length })
        break
      }
    }
  }
  return found
}

/**
 * Each `@` with a local part before it and a domain after it; also `(at)` and `[at]`. Linear: at most 320 characters are read around each.
 */
export const find = ({ text }: Reading): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const span = around(text, at)
    if (span !== undefined) found.push(span)
  }
  return [...found, ...spelledOut(text)]
}
