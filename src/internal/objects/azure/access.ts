/** Access to an account of Azure's storage, as its tools take it from the environment. */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { Environment } from "../environment.ts"

/** What a request to the account carries. */
export type Access =
  | { readonly _tag: "Key"; readonly key: Redacted.Redacted }
  /** A shared access signature, without a question mark. */
  | { readonly _tag: "Signature"; readonly query: Redacted.Redacted }
  | { readonly _tag: "None" }

export interface Account {
  readonly name: string
  /** Origin with the path of the account, where that has one; without a slash at its end. */
  readonly endpoint: string
  readonly access: Access
}

const members = (connection: string): ReadonlyMap<string, string> =>
  new Map(
    connection.split(";").flatMap((part) => {
      const at = part.indexOf("=")
      return at < 1 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const]
    })
  )

const accessOf = (key: string | undefined, signature: string | undefined): Access => {
  if (signature) return { _tag: "Signature", query: Redacted.make(signature.replace(/^\?/, "")) }
  return key ? { _tag: "Key", key: Redacted.make(key) } : { _tag: "None" }
}

const ofConnection = (connection: string, endpoint: string | undefined): Either.Either<Account, string> => {
  const found = members(connection)
  const blob = endpoint ?? found.get("blobendpoint")
  const name = found.get("accountname") ?? (blob === undefined ? undefined : /^https?:\/\/([^./]+)/i.exec(blob)?.[1])
  if (name === undefined)
    return Either.left("AZURE_STORAGE_CONNECTION_STRING names neither an AccountName nor a BlobEndpoint")
  const protocol = found.get("defaultendpointsprotocol") ?? "https"
  const suffix = found.get("endpointsuffix") ?? "core.windows.net"
  return Either.right({
    name,
    endpoint: (blob ?? `${protocol}://${name}.blob.${suffix}`).replace(/\/+$/, ""),
    access: accessOf(found.get("accountkey"), found.get("sharedaccesssignature"))
  })
}

/** An account by its name, with a key, a signature, or neither. */
export const make = (
  given: {
    readonly name: string
    readonly key?: Redacted.Redacted | undefined
    readonly sharedAccessSignature?: Redacted.Redacted | undefined
  },
  endpoint: string | undefined
): Account => ({
  name: given.name,
  endpoint: (endpoint ?? `https://${given.name}.blob.core.windows.net`).replace(/\/+$/, ""),
  access: accessOf(
    given.key && Redacted.value(given.key),
    given.sharedAccessSignature && Redacted.value(given.sharedAccessSignature)
  )
})

/**
 * The account of the environment: of `AZURE_STORAGE_CONNECTION_STRING`, else `AZURE_STORAGE_ACCOUNT` with `AZURE_STORAGE_KEY` or
 * `AZURE_STORAGE_SAS_TOKEN`, without both nothing is signed. The problem in words on the left.
 */
export const ofEnvironment = (
  environment: Environment,
  endpoint: string | undefined
): Either.Either<Account, string> => {
  const { AZURE_STORAGE_ACCOUNT: name, AZURE_STORAGE_CONNECTION_STRING: connection } = environment
  if (connection) return ofConnection(connection, endpoint)
  if (!name) return Either.left("name the account: AZURE_STORAGE_ACCOUNT, or AZURE_STORAGE_CONNECTION_STRING")
  return Either.right({
    name,
    endpoint: (endpoint ?? `https://${name}.blob.core.windows.net`).replace(/\/+$/, ""),
    access: accessOf(environment["AZURE_STORAGE_KEY"], environment["AZURE_STORAGE_SAS_TOKEN"])
  })
}
