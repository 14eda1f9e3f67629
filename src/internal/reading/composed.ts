/** Messages that stand in other files than those of mail, as mail. */
import { type Attached, type Letter, oneLine } from "./letter.ts"

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("base64")
    .replace(/.{76}(?=.)/gu, "$&\r\n")

const encoded = (text: string): string => base64(new TextEncoder().encode(text))

/** Words of a header in parts of 42 bytes at most, with no character in two of them. */
const words = (text: string): string => {
  const parts: Array<string> = []
  let part = ""
  for (const character of oneLine(text)) {
    if (Buffer.byteLength(part + character) > 42) {
      parts.push(part)
      part = ""
    }
    part += character
  }
  return [...parts, part].map((one) => `=?utf-8?B?${Buffer.from(one).toString("base64")}?=`).join("\r\n ")
}

/** Header text as it is where it may stand so, with nothing but addresses and ASCII in it. */
const addresses = (text: string): string =>
  /^[\x20-\x7e]*$/u.test(text)
    ? text
    : text
        .split(", ")
        .map((one) => one.replace(/^(.*?)(?=\s*<[^<>]*>$|$)/u, (name) => (name === "" ? "" : words(name))))
        .join(", ")

const header = (name: string, value: string): ReadonlyArray<string> => (value === "" ? [] : [`${name}: ${value}`])

const partOf = ({ content, mimeType, name }: Attached): string => {
  const isMessage = mimeType === "message/rfc822"
  return [
    `Content-Type: ${/^[\w.+-]+\/[\w.+-]+$/u.test(mimeType) ? mimeType : "application/octet-stream"}`,
    `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\u{fffd}"))}`,
    `Content-Transfer-Encoding: ${isMessage ? "7bit" : "base64"}`,
    "",
    isMessage ? Buffer.from(content).toString("latin1") : base64(content)
  ].join("\r\n")
}

const textPart = (type: string, text: string): string =>
  [`Content-Type: ${type}; charset=utf-8`, "Content-Transfer-Encoding: base64", "", encoded(text)].join("\r\n")

/** How deep messages stand in each other: boundaries differ by it. */
const boundaryOf = ({ attachments }: Letter): string => {
  const inner = attachments.filter(({ mimeType }) => mimeType === "message/rfc822")
  const levels = inner.map(({ content }) =>
    Number(/^Content-Type: [^\r\n]*boundary="=_(\d+)"/mu.exec(Buffer.from(content).toString("latin1"))?.[1] ?? 0)
  )
  return `=_${1 + Math.max(0, ...levels)}`
}

/** The message as a file of mail: ASCII, with its attachments. */
const bytesOf = (letter: Letter): Uint8Array => {
  const { attachments, cc, date, from, html, messageId, subject, text, to } = letter
  const boundary = boundaryOf(letter)
  const body = text.trim() !== "" || html.trim() === "" ? textPart("text/plain", text) : textPart("text/html", html)
  const lines = [
    ...header("Subject", subject === "" ? "" : words(subject)),
    ...header("From", addresses(oneLine(from))),
    ...header("To", addresses(oneLine(to))),
    ...header("Cc", addresses(oneLine(cc))),
    ...header("Date", Number.isNaN(Date.parse(date)) ? "" : new Date(date).toUTCString()),
    ...header("Message-ID", oneLine(messageId)),
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...[body, ...attachments.map(partOf)].flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    ""
  ]
  return new TextEncoder().encode(lines.join("\r\n"))
}

/** A message in another one, as an attachment. */
export const asMessage = (name: string, letter: Letter): Attached => ({
  name: name || oneLine(letter.subject),
  mimeType: "message/rfc822",
  content: bytesOf(letter)
})
