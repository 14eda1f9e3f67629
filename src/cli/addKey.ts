/** `docsluice serve keys add`: a new key in a file of keys. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ApiKey from "../internal/server/apiKey.ts"
import * as KeyFile from "../internal/server/keyFile.ts"
import type * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import { limits, type Given as Limited } from "./ServeCallers.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

export const takes = {
  file: flags.keyFile,
  name: flags.keyName,
  permissions: flags.permissions,
  zeroDataRetention: flags.zeroDataRetention
}

type Given = Command.Given<typeof takes> & Limited & { readonly json: boolean }

const nameOf = ({ name }: Given): Effect.Effect<string, UsageError> => {
  const given = Option.getOrElse(name, () => "")
  return Schema.is(ApiKey.Name)(given)
    ? Effect.succeed(given)
    : new UsageError({
        problem: "keys add needs --name: 1 to 64 letters, digits, dots, dashes and underscores"
      })
}

/** Writes the hash into the file, and then the key to stdout, the only time that it is seen. */
export const addKey = (
  given: Given
): Effect.Effect<void, UsageError | KeyFile.KeyFileError, FileSystem.FileSystem | Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const name = yield* nameOf(given)
    const { hash, key } = yield* ApiKey.generate
    const plan = new ApiKey.ApiKey({
      name,
      hash,
      ...limits(given),
      permissions: Option.getOrUndefined(given.permissions),
      zeroDataRetention: Option.getOrUndefined(given.zeroDataRetention)
    })
    yield* KeyFile.add(given.file, plan)
    const text = Redacted.value(key)
    yield* terminal.result(given.json ? JSON.stringify({ name, key: text }) : text)
    yield* terminal.note(`the key of ${name}, which is shown this once; its hash is in ${given.file}`)
  })
