/** The messages of a mailbox and what is attached to them, as a store over IMAP: listed without their bodies, read by their parts. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ImapFlow, ListResponse } from "imapflow"
import type { SourceUnavailable } from "../../Source.ts"
import * as MemberName from "../archive/memberName.ts"
import * as MessageName from "../archive/messageName.ts"
import { ObjectChanged, type ObjectEntry, type ObjectRead, type ObjectStore } from "../objects/objectStore.ts"
import { type Access, again, make } from "./connections.ts"
import { MailboxProblem } from "./meaning.ts"
import { type Attachment, describe, type Described, query } from "./message.ts"
import { addressOf, folderOf } from "./place.ts"

/** A message, or a file that is attached to it. */
export interface Mail extends ObjectEntry {
  readonly folder: Folder
  readonly uid: number
  /** Number of the part of an attachment; undefined for the whole message. */
  readonly part: string | undefined
}

/** A folder as it was when it was listed. */
interface Folder {
  /** As the server has it. */
  readonly path: string
  /** With slashes between its parts. */
  readonly shown: string
  readonly uidValidity: bigint
}

/** Messages whose descriptions are asked for at a time. */
const pageSize = 500

/** Bytes that are asked for at a time. */
const chunkSize = 256 * 1024

const isSelectable = ({ flags }: ListResponse): boolean => !flags.has("\\Noselect") && !flags.has("\\NonExistent")

const shownOf = ({ delimiter, path }: ListResponse): string =>
  folderOf(
    (delimiter ? path.split(delimiter) : [path])
      .map(MemberName.segment)
      .filter((part) => part !== "")
      .join("/")
  )

interface Listed {
  readonly path: string
  readonly shown: string
}

/** Folders that may hold what is wanted, in the order of their names; fails where the root is none of them. */
const wantedOf = (
  all: ReadonlyArray<ListResponse>,
  root: string,
  prefixes: ReadonlyArray<string>
): ReadonlyArray<Listed> => {
  const folders = all.filter(isSelectable).map((folder) => ({ path: folder.path, shown: shownOf(folder) }))
  const isBelow = (shown: string, prefix: string): boolean =>
    `${shown}/`.startsWith(prefix) || prefix.startsWith(`${shown}/`)
  if (root !== "" && !folders.some(({ shown }) => `${shown}/`.startsWith(`${root}/`))) {
    const names = folders.map(({ shown }) => shown).toSorted()
    const some = names.slice(0, 10).join(", ")
    throw new MailboxProblem(
      "Missing",
      `there is no folder ${root}; it has ${some}${names.length > 10 ? " and others" : ""}`
    )
  }
  return folders
    .filter(({ shown }) => prefixes.some((prefix) => isBelow(shown, prefix)))
    .toSorted((left, right) => (left.shown < right.shown ? -1 : 1))
}

/** The numbers of all messages of a folder; fails for fewer than there were all the time. */
const numbersOf = async (client: ImapFlow, path: string) => {
  const { exists, uidValidity } = await client.mailboxOpen(path, { readOnly: true })
  const found = await client.search({ all: true }, { uid: true })
  const left = client.mailbox === false ? exists : client.mailbox.exists
  if (!Array.isArray(found) || found.length < Math.min(exists, left)) {
    throw new MailboxProblem("Failed", `the folder ${path} was listed in part; run again`)
  }
  return { uidValidity, uids: found }
}

const isSame = ({ mailbox }: ImapFlow, { uidValidity }: Folder): boolean =>
  mailbox !== false && mailbox.uidValidity === uidValidity

interface Page {
  readonly messages: ReadonlyArray<Described>
  /** Numbers of messages that are there, and that the server does not describe. */
  readonly untold: ReadonlyArray<number>
}

/** What the server says of these messages, without those that are marked as deleted. */
const pageOf = async (client: ImapFlow, folder: Folder, uids: ReadonlyArray<number>): Promise<Page> => {
  if (!isSame(client, folder)) {
    throw new MailboxProblem("Failed", `the folder ${folder.path} was made anew while it was listed; run again`)
  }
  const wanted = new Set(uids)
  const messages: Array<Described> = []
  for (const answer of await client.fetchAll(`${uids[0]}:${uids.at(-1)}`, query, { uid: true })) {
    const described = wanted.has(answer.uid) ? describe(answer) : null
    if (described === null) continue
    wanted.delete(described.uid)
    if (answer.flags?.has("\\Deleted") !== true) messages.push(described)
  }
  if (wanted.size === 0) return { messages, untold: [] }
  // Gone since, or left out by the server.
  const left = await client.search({ uid: [...wanted].join(",") }, { uid: true })
  if (!Array.isArray(left))
    throw new MailboxProblem("Failed", `the folder ${folder.path} was listed in part; run again`)
  return { messages: messages.toSorted((one, other) => one.uid - other.uid), untold: left }
}

/** Their documents have no names, so that they would be taken for gone. */
const untold = (messages: ReadonlyArray<string>): MailboxProblem =>
  new MailboxProblem(
    "Invalid",
    `the server does not describe all messages that it lists (${messages.slice(0, 3).join(", ")}); look at these with a mail program, and move or delete them`
  )

type Names = ReturnType<typeof MessageName.distinct>

/** The attachments of a message, and those of messages among them. */
const attachedTo = (mail: Mail, version: string, attachments: ReadonlyArray<Attachment>): ReadonlyArray<Mail> => {
  const names = MessageName.ofAttachments(attachments)
  return attachments.flatMap((attachment, at) => {
    const { part, size } = attachment
    const file: Mail = { ...mail, key: `${mail.key}/${names[at]}`, size, etag: `${version} ${part}`, part }
    return [file, ...attachedTo(file, version, attachment.attachments)]
  })
}

/** A message and its attachments as entries; none for one that came already. */
const entriesOf = (folder: Folder, names: Names, message: Described): ReadonlyArray<Mail> => {
  const name = names(message)
  if (name === null) return []
  const { attachments, size, uid, version } = message
  const key = `${folder.shown}/${name}`
  const whole: Mail = { key, size, estimated: true, etag: version, folder, uid, part: undefined }
  return [whole, ...attachedTo(whole, version, attachments)]
}

/** The bytes from `start` on. Fails for more than an estimate may be wrong by. */
const after = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  start: number,
  { size }: Mail
): Stream.Stream<Uint8Array, E | ObjectChanged> =>
  Stream.suspend(() => {
    const most = 2 * size + 1024 * 1024
    let at = 0
    return Stream.mapEffect(bytes, (part) => {
      const from = Math.max(0, start - at)
      at += part.length
      return at > most ? Effect.fail(new ObjectChanged()) : Effect.succeed(part.subarray(from))
    })
  })

/** The mailbox; its connections are closed with the scope. */
export const open = (access: Access): Effect.Effect<ObjectStore<Mail>, SourceUnavailable, Scope.Scope> =>
  Effect.map(make(access), ({ attempt, borrowed, failed }) => {
    /** Runs commands on any connection, and again on another one where that breaks. */
    const using = <A>(folder: string | null, run: (client: ImapFlow) => Promise<A>) =>
      again(Effect.scoped(Effect.flatMap(borrowed(folder), (client) => attempt(client, () => run(client)))))

    const pages = ({ path, shown }: Listed, names: Names, lacking: Array<string>) =>
      Stream.unwrap(
        Effect.map(
          using(null, (client) => numbersOf(client, path)),
          ({ uidValidity, uids }) => {
            const folder: Folder = { path, shown, uidValidity }
            const starts = Array.from({ length: Math.ceil(uids.length / pageSize) }, (_, at) => at * pageSize)
            return Stream.mapEffect(Stream.fromIterable(starts), (start) =>
              Effect.map(
                using(path, (client) => pageOf(client, folder, uids.slice(start, start + pageSize))),
                ({ messages, untold }) => {
                  for (const uid of untold) lacking.push(`${shown}: ${uid}`)
                  return messages.flatMap((message) => entriesOf(folder, names, message))
                }
              )
            )
          }
        )
      )

    const list: ObjectStore<Mail>["list"] = (prefixes) =>
      Stream.unwrap(
        Effect.map(
          using(null, async (client) => wantedOf(await client.list({ listOnly: true }), access.place.folder, prefixes)),
          (folders) => {
            const lacking: Array<string> = []
            const end = Stream.suspend(() =>
              lacking.length === 0 ? Stream.empty : Stream.fail(failed(untold(lacking)))
            )
            let before = ""
            let names = MessageName.distinct()
            return Stream.flatMap(Stream.fromIterable(folders), (folder) => {
              // Two folders whose names are shown alike hold their messages together.
              if (folder.shown !== before) names = MessageName.distinct()
              before = folder.shown
              return pages(folder, names, lacking)
            }).pipe(Stream.buffer({ capacity: 1 }), Stream.concat(end))
          }
        )
      )

    const download = (mail: Mail): Effect.Effect<ObjectRead, SourceUnavailable, Scope.Scope> =>
      Effect.gen(function* () {
        const { folder, part, uid } = mail
        const client = yield* borrowed(folder.path)
        if (!isSame(client, folder)) return { _tag: "Changed", size: mail.size }
        const { content } = yield* attempt(client, () =>
          client.download(String(uid), part, { uid: true, chunkSize, decodeText: false })
        )
        return content === undefined
          ? { _tag: "Gone" }
          : { _tag: "Bytes", bytes: Stream.fromAsyncIterable<Uint8Array, SourceUnavailable>(content, failed) }
      })

    /** The connection is free again when the bytes have been read, or are not wanted any more. */
    const read = (mail: Mail, start: number): Effect.Effect<ObjectRead, SourceUnavailable> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Scope.make(), (scope) => {
          const released = Scope.close(scope, Exit.void)
          return restore(Scope.extend(download(mail), scope)).pipe(
            Effect.onError(() => released),
            Effect.flatMap((answer): Effect.Effect<ObjectRead> =>
              answer._tag === "Bytes"
                ? Effect.succeed({ ...answer, bytes: Stream.ensuring(after(answer.bytes, start, mail), released) })
                : Effect.as(released, answer)
            )
          )
        })
      )

    return {
      address: addressOf(access.place),
      list,
      bytes: { _tag: "Answers", read: (mail, start) => again(read(mail, start)) }
    }
  })
