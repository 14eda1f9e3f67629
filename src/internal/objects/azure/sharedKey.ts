/** Signatures of requests to Azure's storage by an account's key: the scheme "Shared Key". */
import { createHmac } from "node:crypto"

/** Headers that stand in the text by their place, in its order. */
const placed = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range"
] as const

/** The text that is signed. */
export const textOf = (
  account: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  method: string
): string => {
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-ms-"))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}`)
  const query = [...url.searchParams]
    .map(([name, value]): readonly [string, string] => [name.toLowerCase(), value])
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `\n${name}:${value}`)
  return [
    method,
    ...placed.map((name) => headers[name] ?? ""),
    ...own,
    `/${account}${url.pathname}${query.join("")}`
  ].join("\n")
}

/** Value of the header `authorization`; `key` is the account's, in Base64. */
export const authorization = (
  account: string,
  key: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  method = "GET"
): string => {
  const signature = createHmac("sha256", Buffer.from(key, "base64"))
    .update(textOf(account, url, headers, method))
    .digest("base64")
  return `SharedKey ${account}:${signature}`
}
