import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Tests if `given` is one of `secrets`. The time depends on neither: digests of equal length are compared with all of them. */
export const oneOf = (secrets: ReadonlyArray<string>): ((given: string) => boolean) => {
  const digests = secrets.map(digest)
  return (given) => {
    const hashed = digest(given)
    let found = false
    for (const each of digests) found = timingSafeEqual(each, hashed) || found
    return found
  }
}

/** A name for the holder of a secret, from which the secret cannot be read. */
export const nameOf = (secret: string): string => digest(secret).toString("hex")
