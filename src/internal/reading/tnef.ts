/**
 * winmail.dat: a message, or the part of one, as Outlook sends it to those who cannot read it.
 *
 * Source: [MS-OXTNEF]. Everything is read within the bounds of the bytes.
 */
import { asMessage } from "./composed.ts"
import type { Attached, Letter } from "./letter.ts"
import * as Mapi from "./mapi.ts"

const signature = 0x223e9f78

/** Bytes before the first attribute, before the data of one, and after them. */
const sizes = { head: 6, attribute: 9, checksum: 2 } as const

const attributes = {
  from: 0x00008000,
  subject: 0x00018004,
  body: 0x0002800c,
  attachmentData: 0x0006800f,
  attachmentTitle: 0x00018010,
  attachmentStart: 0x00069002,
  message: 0x00069003,
  recipients: 0x00069004,
  attachment: 0x00069005,
  codePage: 0x00069007
} as const

/** Messages in messages that are opened. */
const deepest = 10

/** Properties of a list or an attachment. */
const most = 10_000

/** Reads numbers one after the other; throws at the end of the bytes. */
class Cursor {
  at = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  integer(): number {
    this.at += 4
    return this.bytes.readUInt32LE(this.at - 4)
  }

  /** Bytes with the padding to a multiple of four after them. */
  padded(length: number): Buffer {
    const end = this.at + length
    if (end > this.bytes.length) throw new RangeError("it ends too early")
    const found = this.bytes.subarray(this.at, end)
    this.at += Math.ceil(length / 4) * 4
    return found
  }
}

const multiple = 0x1000

/** Bytes of a value of a fixed type. */
const sizeOf = (type: number): number => {
  switch (type) {
    case 0x0005:
    case 0x0006:
    case 0x0007:
    case 0x0014:
    case Mapi.types.time:
      return 8
    case 0x0048:
      return 16
    default:
      return 4
  }
}

const varying: ReadonlySet<number> = new Set([Mapi.types.ansi, Mapi.types.text, Mapi.types.binary, Mapi.types.object])

/** Goes over the name of a property that has no number of its own. */
const skipName = (cursor: Cursor): void => {
  cursor.padded(16)
  if (cursor.integer() === 0) cursor.integer()
  else cursor.padded(cursor.integer())
}

/** The first value of each property of a list, as far as they go. */
const listed = (cursor: Cursor): Mapi.Properties => {
  const found = new Map<number, Mapi.Property>()
  try {
    for (let left = Math.min(most, cursor.integer()); left > 0; left--) {
      const tag = cursor.integer()
      const [type, id] = [tag & 0xffff & ~multiple, tag >>> 16]
      if (id >= 0x8000) skipName(cursor)
      const isVarying = varying.has(type)
      const count = isVarying || (tag & multiple) !== 0 ? Math.min(most, cursor.integer()) : 1
      for (let value = 0; value < count; value++) {
        const bytes = cursor.padded(isVarying ? cursor.integer() : sizeOf(type))
        if (value === 0) found.set(id, { type, value: bytes })
      }
    }
  } catch {
    // What follows is damaged.
  }
  return (id) => found.get(id)
}

const rows = (bytes: Buffer): ReadonlyArray<Mapi.Properties> => {
  if (bytes.length < 4) return []
  const cursor = new Cursor(bytes)
  const found: Array<Mapi.Properties> = []
  for (let left = Math.min(most, cursor.integer()); left > 0 && cursor.at + 4 <= bytes.length; left--)
    found.push(listed(cursor))
  return found
}

/** The attributes in their order, up to where they are damaged. */
function* attributesOf(file: Buffer): Generator<readonly [id: number, data: Buffer]> {
  for (let at: number = sizes.head; at + sizes.attribute <= file.length;) {
    const start = at + sizes.attribute
    const end = start + file.readUInt32LE(at + 5)
    if (end > file.length) return
    yield [file.readUInt32LE(at + 1), file.subarray(start, end)]
    at = end + sizes.checksum
  }
}

const dataOf = 0x3701

interface Part {
  title?: Buffer
  data?: Buffer
  properties?: Mapi.Properties
}

const none: Mapi.Properties = () => undefined

const attached = ({ data, properties = none, title }: Part, page: number, depth: number): Attached => {
  const stored = properties(dataOf)
  const object = stored?.type === Mapi.types.object ? stored.value.subarray(16) : undefined
  const inner = object === undefined ? null : letterOf(object, depth + 1)
  const named = Mapi.attachedOf(properties, data ?? object ?? stored?.value ?? Buffer.alloc(0), page)
  if (inner !== null) return asMessage(named.name, inner)
  const name = named.name || Mapi.textOf(title, page)
  return { ...named, name }
}

/** The message in winmail.dat; null for bytes that are none, and below ten messages in messages. */
export const letterOf = (bytes: Uint8Array, depth = 0): Letter | null => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (depth > deepest || file.length < sizes.head || file.readUInt32LE(0) !== signature) return null
  const parts: Array<Part> = []
  const plain = new Map<number, Buffer>()
  let properties = none
  let recipients: ReadonlyArray<Mapi.Properties> = []
  for (const [id, data] of attributesOf(file)) {
    const part = parts.at(-1)
    if (id === attributes.attachmentStart) parts.push({})
    else if (id === attributes.message) properties = listed(new Cursor(data))
    else if (id === attributes.recipients) recipients = rows(data)
    else if (part === undefined) plain.set(id, data)
    else if (id === attributes.attachmentTitle) part.title = data
    else if (id === attributes.attachmentData) part.data = data
    else if (id === attributes.attachment) part.properties = listed(new Cursor(data))
  }
  const stated = plain.get(attributes.codePage)
  const page = stated === undefined || stated.length < 4 ? Mapi.pageOf(properties) : stated.readUInt32LE(0)
  const letter = Mapi.letterOf({
    properties,
    recipients,
    attachments: parts.map((part) => attached(part, page, depth)),
    page
  })
  return {
    ...letter,
    subject: letter.subject || Mapi.textOf(plain.get(attributes.subject), page),
    text: letter.text || (letter.html === "" ? Mapi.textOf(plain.get(attributes.body), page) : "")
  }
}
