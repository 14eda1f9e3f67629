import { identity } from "effect/Function"

/** Removes a key from a text, only where it stands by itself: a short key may well be a part of a word. */
export const redacting = (key: string | undefined): ((text: string) => string) => {
  if (key === undefined) return identity
  const literal = key.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)
  const alone = new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, "g")
  return (text) => text.replaceAll(alone, "<redacted>")
}
