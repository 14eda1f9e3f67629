/** `docsluice completion SHELL`: prints a script that completes the command line. */
import * as Effect from "effect/Effect"
import * as Command from "./Command.ts"
import { Catalogue } from "./completion/Catalogue.ts"
import { script, shells } from "./completion/scripts.ts"
import * as Reader from "./Reader.ts"
import { Terminal } from "./Terminal.ts"

const takes = { shell: Command.one({ ...Reader.oneOf(...shells), form: "SHELL" }) }

const about: Command.Description = {
  name: "completion",
  summary: "completion of the command line for bash, zsh or fish",
  description:
    "Prints a script with which bash, zsh or fish completes commands, flags, their words and files. Put its line into ~/.bashrc or ~/.zshrc; fish takes a file ~/.config/fish/completions/docsluice.fish.",
  exits: "0 done, 64 wrong usage",
  examples: [
    "docsluice completion bash > ~/.docsluice.bash",
    "docsluice completion fish > ~/.config/fish/completions/docsluice.fish"
  ]
}

export const command = Command.make(about, takes, ({ shell }) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    yield* terminal.result(script(shell, yield* yield* Catalogue))
  })
)
