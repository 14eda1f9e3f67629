/** Messages as a server describes them without their bodies: what tells one from all others, and what is attached to it. */
import type { FetchMessageObject, FetchQueryObject, MessageStructureObject } from "imapflow"
import type { Message as Named } from "../archive/messageName.ts"
import { sha256 } from "../base/sha256.ts"

/** What is asked for of each message: no part of a body. */
export const query = {
  uid: true,
  flags: true,
  envelope: true,
  bodyStructure: true,
  size: true,
  internalDate: true
} as const satisfies FetchQueryObject

/** A file that is attached to a message. */
export interface Attachment {
  /** As it was sent; that of an attached message is its subject. Empty without one. */
  readonly name: string
  readonly mimeType: string
  /** Number of its part. */
  readonly part: string
  /** Bytes at most, once it is decoded. */
  readonly size: number
  /** Those of an attached message. */
  readonly attachments: ReadonlyArray<Attachment>
}

/** A message without its body. */
export interface Described extends Named {
  readonly uid: number
  /** Bytes, which some servers only estimate. */
  readonly size: number
  /** The same for the same bytes. */
  readonly version: string
  readonly attachments: ReadonlyArray<Attachment>
}

const bodies: ReadonlySet<string> = new Set(["text/plain", "text/html"])

const reports: ReadonlySet<string> = new Set(["message/delivery-status", "message/feedback-report"])

const nodesOf = (node: MessageStructureObject): ReadonlyArray<MessageStructureObject> => [
  node,
  ...(node.childNodes ?? []).flatMap(nodesOf)
]

const isMessage = ({ type }: MessageStructureObject): boolean => type === "message/rfc822"

/** True for a report about another message, which it holds as evidence: then that is a file of its own. */
const isReport = (node: MessageStructureObject): boolean =>
  reports.has(node.type) || (!isMessage(node) && (node.childNodes ?? []).some(isReport))

/** Messages in messages that are looked into; those further down are files. */
const deepest = 4

const fileOf = (node: MessageStructureObject, part: string, depth: number): Attachment => {
  const { childNodes = [], dispositionParameters, encoding, envelope, parameters, size = 0, type } = node
  const [inner] = isMessage(node) && depth < deepest ? childNodes : []
  return {
    name: dispositionParameters?.["filename"] ?? parameters?.["name"] ?? envelope?.subject ?? "",
    mimeType: type,
    part,
    size: encoding === "base64" ? Math.ceil((size * 3) / 4) : size,
    attachments: inner === undefined ? [] : attachmentsOf(inner, part, depth + 1)
  }
}

/**
 * The attachments that a parser finds in the bytes of a message, which is the whole one or that of a part: all but texts of the body. What an
 * inline message holds is the mail's own.
 */
const attachmentsOf = (root: MessageStructureObject, at: string, depth: number): ReadonlyArray<Attachment> => {
  const keepsMessages = isReport(root)
  const below = (node: MessageStructureObject, part: string): ReadonlyArray<Attachment> => {
    const { childNodes = [], disposition = "", type } = node
    if (type.startsWith("multipart/")) {
      return childNodes.flatMap((child, index) => below(child, part === "" ? `${index + 1}` : `${part}.${index + 1}`))
    }
    const [inner] = childNodes
    const isInline = isMessage(node) && !keepsMessages && (disposition || "inline") === "inline"
    if (isInline && inner !== undefined && depth < deepest) return attachmentsOf(inner, part, depth + 1)
    return bodies.has(type) && disposition !== "attachment" ? [] : [fileOf(node, part, depth)]
  }
  if (root.type.startsWith("multipart/")) return below(root, at)
  return below(root, at === "" ? "1" : `${at}.1`)
}

const isoOf = (date: Date | string | undefined): string => (date instanceof Date ? date.toISOString() : (date ?? ""))

const partOf = ({ encoding, md5, parameters, size, type }: MessageStructureObject): ReadonlyArray<unknown> => [
  type,
  encoding,
  size,
  md5,
  parameters?.["boundary"]
]

/** What is known of the bytes without reading them: two messages that differ in none of this are taken for one. */
const identityOf = ({ bodyStructure, emailId, envelope, internalDate, size }: FetchMessageObject): string => {
  if (emailId !== undefined) return emailId
  return JSON.stringify([
    envelope?.messageId,
    envelope?.subject,
    isoOf(envelope?.date),
    envelope?.from?.map(({ address }) => address),
    isoOf(internalDate),
    size,
    bodyStructure === undefined ? [] : nodesOf(bodyStructure).map(partOf)
  ])
}

/**
 * The description in an answer; null for an answer that is none, such as news of flags.
 *
 * A server that gives ids to contents (`EMAILID`, `X-GM-MSGID`) says when they are the same. Elsewhere the version holds the number of the
 * message, too: the same number in a folder that was made anew is the same message only if all that is known of it is the same.
 */
export const describe = (answer: FetchMessageObject): Described | null => {
  const { bodyStructure, emailId, envelope, size, uid } = answer
  if (size === undefined || !uid) return null
  const identity = identityOf(answer)
  return {
    uid,
    size,
    subject: envelope?.subject ?? "",
    id: envelope?.messageId ?? "",
    hash: sha256(identity),
    version: `imap:${emailId ?? sha256(`${uid} ${identity}`)}`,
    attachments: bodyStructure === undefined ? [] : attachmentsOf(bodyStructure, "", 1)
  }
}
