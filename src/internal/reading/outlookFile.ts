/**
 * `.msg`: a message in an OLE compound file. Streams are named by the number and the type of a property, values of a few bytes stand together
 * in one stream, recipients, attachments and messages in messages are storages.
 *
 * Source: [MS-OXMSG].
 */
import * as CompoundFile from "../../engine/content/CompoundFile.ts"
import { asMessage } from "./composed.ts"
import type { Attached, Letter } from "./letter.ts"
import * as Mapi from "./mapi.ts"

/** Messages in messages that are opened. */
const deepest = 10

/** Recipients that are read. */
const mostRecipients = 1000

/** Bytes before the first value: of the message, of a message in it, of what else a storage is. */
const heads = { file: 32, message: 24, other: 8 } as const

const valueBytes = 16

const dataOf = 0x3701

const hex = (value: number): string => value.toString(16).padStart(4, "0")

const streamName = (id: number, type: number): string => `__substg1.0_${hex(id)}${hex(type)}`

const stored = [Mapi.types.text, Mapi.types.ansi, Mapi.types.binary] as const

type Entries = ReadonlyMap<string, CompoundFile.Entry>

const byName = (entries: ReadonlyArray<CompoundFile.Entry>): Entries =>
  new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]))

class Reader {
  private readonly file: CompoundFile.CompoundFile
  /** Bytes that may still be read: streams of a sound file share none. */
  private left: number

  constructor(file: CompoundFile.CompoundFile, size: number) {
    this.file = file
    this.left = size
  }

  private read(entry: CompoundFile.Entry | undefined): Buffer | undefined {
    if (entry === undefined || entry.size > this.left) return undefined
    this.left -= entry.size
    const found = this.file.read(entry)
    return found && Buffer.from(found.buffer, found.byteOffset, found.byteLength)
  }

  /** Each stream is read once, when its property is first asked for. */
  private propertiesOf(entries: Entries, head: number): Mapi.Properties {
    const fixed = this.read(entries.get("__properties_version1.0")) ?? Buffer.alloc(0)
    const known = new Map<number, Mapi.Property | undefined>()
    for (let at = head; at + valueBytes <= fixed.length; at += valueBytes) {
      const type = fixed.readUInt16LE(at)
      if (type === Mapi.types.integer || type === Mapi.types.time)
        known.set(fixed.readUInt16LE(at + 2), { type, value: fixed.subarray(at + 8, at + valueBytes) })
    }
    return (id) => {
      if (!known.has(id)) {
        const type = stored.find((type) => entries.has(streamName(id, type)))
        const value = type === undefined ? undefined : this.read(entries.get(streamName(id, type)))
        known.set(id, type === undefined || value === undefined ? undefined : { type, value })
      }
      return known.get(id)
    }
  }

  private attached(storage: CompoundFile.Entry, page: number, depth: number): Attached {
    const entries = byName(this.file.entriesIn(storage))
    const properties = this.propertiesOf(entries, heads.other)
    const inner = entries.get(streamName(dataOf, Mapi.types.object))
    if (inner !== undefined && depth < deepest) {
      const message = byName(this.file.entriesIn(inner))
      if (message.has("__properties_version1.0"))
        return asMessage(
          Mapi.attachedOf(properties, Buffer.alloc(0), page).name,
          this.letter(message, heads.message, depth + 1)
        )
    }
    return Mapi.attachedOf(properties, properties(dataOf)?.value ?? Buffer.alloc(0), page)
  }

  letter(entries: Entries, head: number, depth: number): Letter {
    const storages = (prefix: string): ReadonlyArray<CompoundFile.Entry> =>
      [...entries.values()].filter(({ name }) => name.toLowerCase().startsWith(prefix))
    const properties = this.propertiesOf(entries, head)
    const page = Mapi.pageOf(properties)
    const recipients = storages("__recip_version1.0_")
      .slice(0, mostRecipients)
      .map((storage) => this.propertiesOf(byName(this.file.entriesIn(storage)), heads.other))
    const attachments = storages("__attach_version1.0_").map((storage) => this.attached(storage, page, depth))
    return Mapi.letterOf({ properties, recipients, attachments, page })
  }
}

/** The message in a file; null for a file that is none. */
export const letterOf = (bytes: Uint8Array): Letter | null => {
  const file = CompoundFile.open(bytes)
  if (file === undefined) return null
  const entries = byName(file.entries)
  return entries.has("__properties_version1.0") ? new Reader(file, bytes.length).letter(entries, heads.file, 0) : null
}
