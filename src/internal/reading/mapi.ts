/**
 * Mail messages as MAPI properties, which `.msg` files and winmail.dat hold in different containers.
 *
 * Source: [MS-OXPROPS], [MS-OXCMSG].
 */
import { corrected } from "../base/windows1252.ts"
import { dateOf, decoderOf } from "../base/windowsValues.ts"
import * as CompressedRtf from "./compressedRtf.ts"
import type { Attached, Letter } from "./letter.ts"

/** Types of values. */
export const types = {
  integer: 0x0003,
  object: 0x000d,
  ansi: 0x001e,
  text: 0x001f,
  time: 0x0040,
  binary: 0x0102
} as const

export interface Property {
  readonly type: number
  /** As it is stored, little-endian. */
  readonly value: Buffer
}

/** The property of a number; undefined for one that is not there, or is damaged. */
export type Properties = (id: number) => Property | undefined

/** A message as its container gives it. */
export interface Message {
  readonly properties: Properties
  readonly recipients: ReadonlyArray<Properties>
  readonly attachments: ReadonlyArray<Attached>
  /** Code page of text of one byte a character. */
  readonly page: number
}

const ids = {
  class: 0x001a,
  subject: 0x0037,
  submitted: 0x0039,
  representedName: 0x0042,
  representedAddress: 0x0065,
  recipientKind: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  shownCc: 0x0e03,
  shownTo: 0x0e04,
  delivered: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  name: 0x3001,
  address: 0x3003,
  created: 0x3007,
  mime: 0x370e,
  shortFile: 0x3704,
  longFile: 0x3707,
  smtpAddress: 0x39fe,
  internetPage: 0x3fde,
  messagePage: 0x3ffd,
  senderSmtp: 0x5d01,
  representedSmtp: 0x5d02
} as const

const integerOf = (property: Property | undefined): number | undefined =>
  property?.type === types.integer && property.value.length >= 4 ? property.value.readInt32LE(0) : undefined

/** The code page of text of one byte a character, as the properties of its message say. */
export const pageOf = (properties: Properties): number =>
  integerOf(properties(ids.messagePage)) ?? integerOf(properties(ids.internetPage)) ?? 1252

const inPage = (value: Buffer, page: number): string => {
  const decoder = decoderOf(page)
  const text = decoder.decode(value)
  return decoder.encoding === "windows-1252" ? corrected(text) : text
}

const withoutEnd = (text: string): string => text.replace(/\0+$/u, "")

/** Text of one byte a character, up to its end; empty for none. */
export const textOf = (value: Buffer | undefined, page: number): string =>
  value === undefined ? "" : withoutEnd(inPage(value, page))

/** Reads texts of properties; empty for none. */
const texts = (page: number) => (properties: Properties, id: number) => {
  const property = properties(id)
  if (property?.type === types.text) return withoutEnd(property.value.toString("utf16le"))
  return property?.type === types.ansi ? textOf(property.value, page) : ""
}

const timeOf = (property: Property | undefined): string | undefined =>
  property?.type === types.time && property.value.length >= 8 ? dateOf(property.value.readBigUInt64LE(0)) : undefined

const isAddress = (text: string): boolean => text.includes("@")

const person = (name: string, ...addresses: ReadonlyArray<string>): string => {
  const address = addresses.find(isAddress) ?? ""
  if (address === "" || address === name) return name === "" ? "" : isAddress(name) ? `<${name}>` : name
  return [name, `<${address}>`].filter((part) => part !== "").join(" ")
}

/** Bytes as UTF-8 where they are valid in it, else in the code page that they should have. */
const htmlOf = (properties: Properties, page: number): string => {
  const property = properties(ids.html)
  if (property?.type !== types.binary) return texts(page)(properties, ids.html)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(property.value)
  } catch {
    return inPage(property.value, integerOf(properties(ids.internetPage)) ?? page)
  }
}

/** Kinds of recipients. */
const kinds = { to: 1, cc: 2 } as const

/** Kinds of items that programs of Windows keep as messages; the others are named. */
const isMail = (kind: string): boolean => kind === "" || /^(?:IPM|REPORT)\b/iu.test(kind)

/** The message that these properties are. */
export const letterOf = ({ attachments, page, properties, recipients }: Message): Letter => {
  const text = texts(page)
  const of = (id: number): string => text(properties, id)
  const people = (kind: number): string =>
    recipients
      .filter((one) => integerOf(one(ids.recipientKind)) === kind)
      .map((one) => person(text(one, ids.name), text(one, ids.smtpAddress), text(one, ids.address)))
      .join(", ")
  const body = of(ids.body)
  const html = body.trim() === "" ? htmlOf(properties, page) : ""
  const rtf = properties(ids.rtf)
  const last = body.trim() === "" && html.trim() === "" && rtf !== undefined ? CompressedRtf.bodyOf(rtf.value) : null
  return {
    subject: of(ids.subject),
    from: person(
      of(ids.senderName) || of(ids.representedName),
      of(ids.senderSmtp),
      of(ids.representedSmtp),
      of(ids.senderAddress),
      of(ids.representedAddress)
    ),
    to: people(kinds.to) || of(ids.shownTo),
    cc: people(kinds.cc) || of(ids.shownCc),
    date:
      timeOf(properties(ids.submitted)) ?? timeOf(properties(ids.delivered)) ?? timeOf(properties(ids.created)) ?? "",
    messageId: of(ids.messageId),
    text: last?.text ?? body,
    html: last?.html ?? html,
    attachments,
    warnings: isMail(of(ids.class)) ? [] : [`it is an item of the kind ${of(ids.class)}, and was read as a message`]
  }
}

/** An attachment by its properties; `page`: code page of the message. */
export const attachedOf = (properties: Properties, content: Uint8Array, page: number): Attached => {
  const text = texts(page)
  const name = [ids.longFile, ids.shortFile, ids.name].map((id) => text(properties, id)).find((one) => one !== "")
  return { name: name ?? "", mimeType: text(properties, ids.mime) || "application/octet-stream", content }
}
