/** The attachments of a message as a store. They are found by parsing the message, and held only as long as there is memory for them. */
import * as Effect from "effect/Effect"
import { sha256 } from "../base/sha256.ts"
import type { ObjectEntry, ObjectStore } from "../objects/objectStore.ts"
import type { Attached } from "../reading/letter.ts"
import { letterOf } from "../reading/mail.ts"
import { Damaged } from "./damaged.ts"
import * as MessageName from "./messageName.ts"
import { paged } from "./paged.ts"
import { failureOf, type About as Zipped } from "./zip.ts"

/** A message that is read as a whole. */
export interface About extends Omit<Zipped, "open"> {
  readonly extension: string
  readonly bytes: () => Promise<Uint8Array>
}

interface Part extends ObjectEntry {
  /** Its place among the attachments. */
  readonly at: number
}

/** The message's attachments as a store; reads nothing yet. */
export const make = (about: About): ObjectStore<Part> => {
  let held: WeakRef<ReadonlyArray<Attached>> | undefined
  const attachments = async (): Promise<ReadonlyArray<Attached>> => {
    const known = held?.deref()
    if (known !== undefined) return known
    const read = Effect.either(letterOf(about.extension, await about.bytes()))
    const letter = await Effect.runPromise(read)
    if (letter._tag === "Left") throw new Damaged(letter.left)
    const found = letter.right?.attachments ?? []
    held = new WeakRef(found)
    return found
  }

  async function* members(): AsyncGenerator<Part> {
    const found = await attachments()
    const names = MessageName.ofAttachments(found)
    for (const [at, { content }] of found.entries()) {
      yield { key: names[at] ?? "", size: content.length, etag: `sha256:${sha256(content)}`, at }
    }
  }

  async function* bytesOf({ at, etag }: Part): AsyncGenerator<Uint8Array> {
    const content = (await attachments())[at]?.content
    if (content === undefined || `sha256:${sha256(content)}` !== etag)
      throw new Damaged("it was replaced while it was read; run again", "Failed")
    yield content
  }

  return {
    address: about.address,
    list: () => paged(members, about.failed),
    bytes: { _tag: "Parts", parts: bytesOf, failure: failureOf(about) }
  }
}
