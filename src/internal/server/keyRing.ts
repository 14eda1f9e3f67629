/** The keys that a server accepts. The time of a test depends neither on the key given nor on those that are accepted. */
import { createHash, timingSafeEqual } from "node:crypto"
import * as keyHash from "./keyHash.ts"

/** The owner of a key, null for a key that is not accepted; `plan` is the name of its own plan, where it has one. */
export type KeyRing = (key: string | undefined) => { readonly plan: string | undefined } | null

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Accepts these keys; without any, every key and none. */
export const ofKeys = (keys: ReadonlyArray<string>): KeyRing => {
  // Digests have equal lengths, whatever the lengths of the keys.
  const digests = keys.map(digest)
  const everyone = { plan: undefined }
  return (key) => {
    if (keys.length === 0) return everyone
    if (key === undefined) return null
    const given = digest(key)
    return digests.filter((each) => timingSafeEqual(each, given)).length > 0 ? everyone : null
  }
}

/** Accepts the keys of these plans. */
export const ofPlans = (plans: ReadonlyArray<{ readonly name: string; readonly hash: string }>): KeyRing => {
  const known = plans.map(({ hash, name }) => ({ owner: { plan: name }, matches: keyHash.verifier(hash) }))
  return (key) => {
    // Not `find`: all are tried.
    const [found] = key === undefined ? [] : known.filter(({ matches }) => matches(key))
    return found?.owner ?? null
  }
}
