/** Salted hashes of keys, so that a file of keys gives none away. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** `sha256:SALT:DIGEST`: 16 bytes of salt and the SHA-256 of salt and key, both in base64url. */
export const pattern = /^sha256:[\w-]{22}:[\w-]{43}$/

const digest = (salt: string, key: string): Buffer => createHash("sha256").update(salt).update(key).digest()

/** Hash of a key, with a new salt. SHA-256 is enough for random keys: there are too many to try. */
export const make = (key: string): string => {
  const salt = randomBytes(16).toString("base64url")
  return `sha256:${salt}:${digest(salt, key).toString("base64url")}`
}

/** A test for the key of a hash, in a time that does not depend on how much of the key is right; always false for a malformed hash. */
export const verifier = (hash: string): ((key: string) => boolean) => {
  if (!pattern.test(hash)) return () => false
  const [, salt = "", expected = ""] = hash.split(":")
  const wanted = Buffer.from(expected, "base64url")
  return (key) => timingSafeEqual(wanted, digest(salt, key))
}

/** A new key of 256 random bits, in characters that a header may hold. */
export const randomKey = (): string => `dsk-${randomBytes(32).toString("base64url")}`
