/** `docsluice completion SHELL`: prints a script that completes the command line. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Suggestion from "../internal/base/suggestion.ts"
import { Catalogue } from "./completion/Catalogue.ts"
import { script, type Shell, shells } from "./completion/scripts.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import type { Flag } from "./Flag.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

export const spellings: ReadonlyArray<Flag<boolean>> = []

const shellOf = (word: string): Effect.Effect<Shell, UsageError> => {
  const shell = shells.find((name) => name === word)
  return shell === undefined
    ? new UsageError({
        problem: `expected one of ${shells.join(", ")}, got ${JSON.stringify(word)}${Suggestion.ending(word, shells)}`
      })
    : Effect.succeed(shell)
}

export const command = Command.make("completion", { shell: Args.text({ name: "shell" }) }, ({ shell }) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const name = yield* shellOf(shell)
    yield* terminal.result(script(name, yield* yield* Catalogue))
  }).pipe(Effect.catchAll((error) => Effect.zipRight(Failure.report(error), ExitStatus.set(64))))
).pipe(
  Command.withDescription(
    "Prints a script with which bash, zsh or fish completes commands, flags, their words and files. Put its line into ~/.bashrc or ~/.zshrc; fish takes a file ~/.config/fish/completions/docsluice.fish. Exit status: 0 done, 64 wrong usage. Example: docsluice completion bash > ~/.docsluice.bash Example: docsluice completion fish > ~/.config/fish/completions/docsluice.fish"
  )
)
