import { identity } from "effect/Function"

const pattern = (secret: string): string => {
  const literal = secret.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)
  return `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`
}

/** Removes secrets from a text, each only where it stands by itself: a short one may well be a part of a word. */
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  if (secrets.length === 0) return identity
  const any = new RegExp(secrets.map(pattern).join("|"), "g")
  return (text) => text.replaceAll(any, "<redacted>")
}
