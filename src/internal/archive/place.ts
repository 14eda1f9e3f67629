/** Addresses of archives: `zip:FILE` and `tar:FILE`. */
import { basename, resolve } from "node:path"
import * as Either from "effect/Either"

/** An archive on this machine. */
export interface Archive {
  readonly kind: "zip" | "tar"
  /** Absolute path. */
  readonly path: string
}

/** An archive with its default name. */
export interface Place extends Archive {
  readonly name: string
}

/** Address of an archive. */
export const addressOf = ({ kind, path }: Archive): string => `${kind}:${path}`

/** Parses an address; the problem in words on the left. */
export const parse = (address: string): Either.Either<Place, string> => {
  const form = /^(zip|tar):(.+)$/su.exec(address)
  const file = form?.[2]
  if (form === null || file === undefined) return Either.left("expected zip:FILE or tar:FILE")
  const path = resolve(file)
  const name = basename(path)
  if (name === "") return Either.left("expected the file of an archive, not the top of a disk")
  return Either.right({ kind: form[1] === "zip" ? "zip" : "tar", path, name })
}
