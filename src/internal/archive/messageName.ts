/** Names of messages and of what is attached to them, as files of a folder. */
import * as Option from "effect/Option"
import * as FileType from "../base/fileType.ts"
import { SeenNames } from "../base/seenNames.ts"
import { sha256 } from "../base/sha256.ts"
import type { Attached } from "../reading/letter.ts"
import * as MemberName from "./memberName.ts"

/** What a message is named by. */
export interface Message {
  readonly subject: string
  /** Its `Message-ID`; empty without one. */
  readonly id: string
  /** Tells it from every other message; lower-case hexadecimal. */
  readonly hash: string
}

/** UTF-16 code units of a subject in a name. */
const longestSubject = 60

/** Digits of the hash in a name: of the id of the message, which it keeps wherever it stands. */
const digits = 12

/** Names the messages of a folder by their subject and their id; of two with one id the second by its hash; null for one that came already. */
export const distinct = (): ((message: Message) => string | null) => {
  const seen = new SeenNames()
  return ({ hash, id, subject }) => {
    if (!seen.add(hash)) return null
    const shown = MemberName.segment(subject.slice(0, longestSubject))
    const names = [id === "" ? hash : sha256(id), hash].map(
      (key) => `${shown === "" ? "message" : shown}-${key.slice(0, digits)}.eml`
    )
    return names.find((name) => seen.add(name)) ?? null
  }
}

/** Extensions of types that the service does not take. */
const others: Readonly<Record<string, string>> = { "message/rfc822": "eml", "text/plain": "txt" }

/** The name with the extension of its type where it has none. */
const nameOf = ({ mimeType, name }: Pick<Attached, "mimeType" | "name">, at: number): string => {
  const segment = MemberName.segment(name) || `attachment ${at + 1}`
  const meant = Option.getOrUndefined(FileType.fromMimeType(mimeType)) ?? others[mimeType.toLowerCase()]
  const extension = FileType.extensionOf(segment)
  return meant === undefined || (extension !== "" && meant !== "eml") || extension === meant
    ? segment
    : `${segment}.${meant}`
}

/** Names the attachments of a message, in their order; a second one of a name with its number. */
export const ofAttachments = (
  attachments: ReadonlyArray<Pick<Attached, "mimeType" | "name">>
): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return attachments.map((attached, at) => {
    const name = nameOf(attached, at)
    const dot = name.lastIndexOf(".")
    const [stem, end] = dot <= 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)]
    let free = name
    for (let number = 2; seen.has(free); number++) free = `${stem} (${number})${end}`
    seen.add(free)
    return free
  })
}
