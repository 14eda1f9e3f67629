/**
 * Blobs of a container of Azure's storage.
 *
 * Blobs are listed a page of five thousand at a time and never held all at once; a blob whose ETag the ledger knows is not read. A read
 * that breaks off goes on where it ended, of the same version only. Requests are tried again when the storage throttles them, fails or does
 * not answer.
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { loaded } from "../internal/base/loaded.ts"
import * as ObjectAddress from "../internal/objects/address.ts"
import * as Access from "../internal/objects/azure/access.ts"
import { environment } from "../internal/objects/environment.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import type * as Source from "../Source.ts"

const containers = loaded(() => import("../internal/objects/azure/container.ts"))

/**
 * An account of Azure's storage.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account {
  readonly name: string
  /** The account's key in Base64. */
  readonly key?: Redacted.Redacted | undefined
  /** A shared access signature in place of the key, with the rights to read and to list. Without both nothing is signed. */
  readonly sharedAccessSignature?: Redacted.Redacted | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /** `az://CONTAINER` or `az://CONTAINER/PREFIX`. */
  readonly root: string
  /** First part of every document id; default `CONTAINER/PREFIX`. */
  readonly name?: string | undefined
  /** Address of the account, such as `http://127.0.0.1:10000/devstoreaccount1`; default Azure's own. */
  readonly endpoint?: string | undefined
  /**
   * Default `AZURE_STORAGE_CONNECTION_STRING`, else `AZURE_STORAGE_ACCOUNT` with `AZURE_STORAGE_KEY` or `AZURE_STORAGE_SAS_TOKEN`.
   */
  readonly account?: Account | undefined
}

const accountOf = ({ account, endpoint }: Options): Either.Either<Access.Account, string> => {
  if (endpoint !== undefined && !ObjectRoot.isOrigin(endpoint)) {
    return Either.left("endpoint: expected the address of an account such as http://127.0.0.1:10000/devstoreaccount1")
  }
  return account === undefined
    ? Access.ofEnvironment(environment(), endpoint)
    : Either.right(Access.make(account, endpoint))
}

const rootOf = (options: Options): Either.Either<ObjectRoot.Root<HttpClient.HttpClient>, string> =>
  Either.gen(function* () {
    const { bucket: container, path } = yield* ObjectAddress.parse("az", options.root)
    const account = yield* accountOf(options)
    const prefix = ObjectAddress.withSlash(path)
    return {
      name: `${container}/${prefix}`.replace(/\/+$/, ""),
      address: `az://${new URL(account.endpoint).host}/${account.name}/${container}/${prefix}`,
      prefix,
      open: Effect.flatMap(containers, ({ make }) => make(account, container))
    }
  })

/**
 * The blobs of a container below a prefix, as a run takes them. Two containers of one name in different accounts are different roots: the
 * second needs a name. Fails when the container cannot be listed to the end; one blob that cannot be read fails as a document.
 *
 * @example
 * import * as AzureBlob from "docsluice/source/AzureBlob"
 *
 * const reports = AzureBlob.make({ root: "az://archive/reports", patterns: ["**\/*.pdf"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, HttpClient.HttpClient> =>
  ObjectRoot.source(options, rootOf(options))
