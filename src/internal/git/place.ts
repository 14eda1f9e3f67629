/** Addresses of repositories: `git:PATH@REF` and `git:URL@REF`. */
import { basename, resolve } from "node:path"
import * as Either from "effect/Either"

/** A repository and what of it is read. */
export interface Place {
  /** Absolute path of a repository on this machine, bare or with a work tree; or the address of one elsewhere. */
  readonly repository: string
  readonly isRemote: boolean
  /** Branch, tag or commit. */
  readonly ref: string
  readonly name: string
}

/** Address that tells the files of one ref from all others. */
export const addressOf = ({ ref, repository }: Pick<Place, "ref" | "repository">): string => `git:${repository}@${ref}`

/** `https://…`, `ssh://…`, `user@host:path`. */
const remote = /^(?:[a-z+]+:\/\/|[^/@:]+@[^/:]+:)/u

/** Parses an address; the problem in words on the left. A ref has no colon, so that the user of an address is none. */
export const parse = (address: string): Either.Either<Place, string> => {
  const [, location = ""] = /^git:(.+)$/su.exec(address) ?? []
  const [, before = location, given = "HEAD"] = /^(.+)@([^@:]+)$/su.exec(location) ?? []
  const isRemote = remote.test(before)
  if (before === "" || given.startsWith("-") || before.startsWith("-")) {
    return Either.left("expected git:PATH@REF or git:URL@REF")
  }
  if (URL.canParse(before) && new URL(before).password !== "") {
    return Either.left("it holds a password; keep that where git finds it (git help credentials)")
  }
  const repository = isRemote ? before : resolve(before)
  const name = basename(repository.replace(/\/?\.git\/?$/u, "").replace(/^.*:/u, ""))
  if (name === "") return Either.left("expected a repository, not the top of a disk or a host")
  return Either.right({ repository, isRemote, ref: given, name: given === "HEAD" ? name : `${name}@${given}` })
}
