/**
 * `.mbox`: messages one after the other, each after a line that begins with `From `. A pass over the bytes finds them, and holds the head of
 * one message at most; each is read from its place.
 *
 * Source: RFC 4155. A line of a body that begins with `>From ` stays so.
 */
import { createHash } from "node:crypto"
import { decodeWords } from "postal-mime"
import type { ObjectEntry, ObjectStore } from "../objects/objectStore.ts"
import { Damaged } from "./damaged.ts"
import { ranged } from "./memberBytes.ts"
import * as MemberName from "./memberName.ts"
import * as MessageName from "./messageName.ts"
import { paged } from "./paged.ts"
import * as Snapshot from "./snapshot.ts"
import { type About, failureOf } from "./zip.ts"

interface Message extends ObjectEntry {
  readonly archive: Snapshot.Snapshot
  /** Place of the first byte after the line that begins the message. */
  readonly at: number
}

/** A message as it is found. */
interface Found {
  readonly at: number
  readonly size: number
  /** SHA-256 of its bytes. */
  readonly hash: string
  /** Its first bytes. */
  readonly head: Buffer
}

const mark = Buffer.from("\nFrom ")

/** Bytes of a line that begins a message; a longer one is text. */
const longestLine = 1000

/** Bytes in which subject and id are looked for. */
const headBytes = 32_768

/** True for a line that begins a message: an address and a date. */
const begins = (line: Buffer): boolean => {
  const text = line.toString("latin1")
  return /\d{1,2}:\d{2}/u.test(text) && /\b\d{4}\b/u.test(text)
}

class OpenMessage {
  readonly at: number
  private size = 0
  private readonly hash = createHash("sha256")
  private head = Buffer.alloc(0)

  constructor(at: number) {
    this.at = at
  }

  add(bytes: Buffer): void {
    this.size += bytes.length
    this.hash.update(bytes)
    if (this.head.length < headBytes)
      this.head = Buffer.concat([this.head, bytes.subarray(0, headBytes - this.head.length)])
  }

  end(): Found {
    return { at: this.at, size: this.size, hash: this.hash.digest("hex"), head: this.head }
  }
}

/** True where the line before is empty, or there is none. */
const isAfterBlank = (bytes: Buffer, at: number, isFirst: boolean): boolean =>
  isFirst || bytes[at - 1] === 10 || (bytes[at - 1] === 13 && bytes[at - 2] === 10)

/**
 * The messages in their order. Throws for bytes that do not begin with one.
 *
 * @yields each message when the next one begins
 */
async function* messages(parts: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  let open: OpenMessage | undefined
  // A line end before the first byte, so that the first line is found as any other.
  let held: Buffer = Buffer.from("\n")
  let heldAt = -1
  for await (const part of parts) {
    const bytes = Buffer.concat([held, part])
    let done = 0
    let from = 0
    for (;;) {
      const at = bytes.indexOf(mark, from)
      const end = at < 0 ? -1 : bytes.indexOf(10, at + mark.length)
      if (at < 0 || (end < 0 && bytes.length - at <= longestLine)) {
        // What may be the beginning of a line, and the line before it, wait for the next part.
        const rest = Math.max(done, at < 0 ? bytes.length - mark.length : at - 1)
        if (rest > done) open?.add(bytes.subarray(done, rest))
        heldAt += rest
        held = bytes.subarray(rest)
        break
      }
      const line = bytes.subarray(at + 1, end < 0 ? undefined : end)
      const isFirst = heldAt + at < 0
      const found = end >= 0 && end - at <= longestLine && isAfterBlank(bytes, at, isFirst) && (isFirst || begins(line))
      from = found ? end : at + 1
      if (!found) continue
      if (open !== undefined) {
        open.add(bytes.subarray(done, at + 1))
        yield open.end()
      }
      done = end + 1
      open = new OpenMessage(heldAt + done)
    }
    if (open === undefined && heldAt + held.length > longestLine) {
      throw new Damaged("it does not begin with a message of a mailbox; export it as mbox again", "Invalid")
    }
  }
  if (open === undefined) {
    if (heldAt + held.length > 0)
      throw new Damaged("it does not begin with a message of a mailbox; export it as mbox again", "Invalid")
    return
  }
  open.add(held)
  yield open.end()
}

/** The value of a header; empty without one. */
const headerOf = (head: string, name: string): string =>
  new RegExp(`^${name}:((?:[^\\r\\n]|\\r?\\n[ \\t])*)`, "imu").exec(head)?.[1]?.replace(/\s+/gu, " ").trim() ?? ""

const headersOf = ({ hash, head }: Found): MessageName.Message => {
  const text = MemberName.shown(head)
  const fields = text.slice(0, /\r?\n\r?\n/u.exec(text)?.index)
  return { hash, subject: decodeWords(headerOf(fields, "subject")), id: headerOf(fields, "message-id") }
}

async function* members({ open }: About): AsyncGenerator<Message> {
  const handle = await open()
  try {
    const archive = await Snapshot.ofHandle(handle)
    const nameOf = MessageName.distinct()
    for await (const found of messages(ranged(handle, 0, archive.size))) {
      const key = nameOf(headersOf(found))
      if (key !== null) yield { key, size: found.size, etag: `sha256:${found.hash}`, archive, at: found.at }
    }
    await Snapshot.expect(handle, archive)
  } finally {
    await handle.close()
  }
}

async function* messageBytes({ open }: About, { archive, at, size }: Message): AsyncGenerator<Uint8Array> {
  const handle = await open()
  try {
    await Snapshot.expect(handle, archive)
    yield* ranged(handle, at, size)
    await Snapshot.expect(handle, archive)
  } finally {
    await handle.close()
  }
}

/** The mailbox as a store; reads nothing yet. */
export const make = (about: About): ObjectStore<Message> => ({
  address: about.address,
  list: () => paged(() => members(about), about.failed),
  bytes: { _tag: "Parts", parts: (message) => messageBytes(about, message), failure: failureOf(about) }
})
