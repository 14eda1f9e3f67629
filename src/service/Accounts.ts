/**
 * Credits that the keys of a server have spent.
 *
 * Only spent credits are stored. Those that requests in flight have reserved live in the process, so a killed server releases them.
 *
 * Source: interface document, general error row 402.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { unsent } from "../internal/base/wireFields.ts"
import type { NewerSchema } from "../internal/state/directory.ts"
import { DatabaseFailure } from "../internal/state/libsql.ts"
import * as StateLock from "../internal/state/lock.ts"
import { problemOf } from "../internal/state/remedies.ts"
import * as spending from "../internal/state/spending.ts"

export {
  ApiKey,
  generate as generateKey,
  hash as hashKey,
  KeyHash,
  Permission,
  Rate,
  ZeroDataRetention
} from "../internal/server/apiKey.ts"
export {
  add as addKey,
  KeyFile,
  KeyFileError,
  parse as parseKeyFile,
  read as readKeyFile
} from "../internal/server/keyFile.ts"

/**
 * The accounts cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class AccountsError extends Schema.TaggedError<AccountsError>("docsluice/service/AccountsError")(
  "AccountsError",
  {
    directory: Schema.String,
    reason: Schema.Literal("Locked", "Corrupted", "Newer", "ReadOnly", "Full", "Io"),
    /** The fault and its remedy, in one line. */
    problem: Schema.String,
    cause: unsent
  }
) {
  override get message(): string {
    return `${this.directory}: ${this.problem}`
  }
}

/**
 * @since 0.1.0
 * @category services
 */
export class Accounts extends Context.Tag("docsluice/service/Accounts")<Accounts, Accounts.Service>() {}

export declare namespace Accounts {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Credits that the account has spent; 0 for an unknown name. */
    readonly spent: (account: string) => Effect.Effect<number, AccountsError>
    /** Adds to the spent credits. Durable on success; a failure adds nothing. */
    readonly spend: (account: string, credits: number) => Effect.Effect<void, AccountsError>
  }
}

const errorOf =
  (directory: string) =>
  (refused: DatabaseFailure | NewerSchema | StateLock.Held): AccountsError => {
    if (refused instanceof DatabaseFailure) {
      const { cause, reason } = refused
      return new AccountsError({ directory, reason, ...problemOf("AccountsError", refused), cause })
    }
    return "holder" in refused
      ? new AccountsError({
          directory,
          reason: "Locked",
          problem: `${StateLock.nameOf(refused.holder)} keeps its credits here; stop it or name another state directory`
        })
      : new AccountsError({
          directory,
          reason: "Newer",
          problem: `written by a later version of docsluice (${refused.found}, known is ${refused.known}); update docsluice`
        })
  }

/**
 * Accounts in a folder, which is created when missing and locked until the scope ends. By convention `serve` in the state directory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (directory: string): Effect.Effect<Accounts.Service, AccountsError, Scope.Scope> => {
  const failed = errorOf(directory)
  return Effect.mapBoth(spending.make(directory), {
    onFailure: failed,
    onSuccess: ({ spend, spent }) => ({
      spent: (account) => Effect.mapError(spent(account), failed),
      spend: (account, credits) => Effect.mapError(spend(account, credits), failed)
    })
  })
}

/**
 * {@link make} as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (directory: string): Layer.Layer<Accounts, AccountsError> =>
  Layer.scoped(Accounts, make(directory))

/**
 * Accounts in memory, empty at first and gone with the process.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeMemory: Effect.Effect<Accounts.Service> = Effect.sync(() => {
  const all = new Map<string, number>()
  return {
    spent: (account) => Effect.sync(() => all.get(account) ?? 0),
    spend: (account, credits) => Effect.sync(() => void all.set(account, (all.get(account) ?? 0) + credits))
  }
})

/**
 * {@link makeMemory} as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<Accounts> = Layer.effect(Accounts, makeMemory)
