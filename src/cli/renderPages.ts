/** Renders the pages that {@link Pages} finds; the build calls this. */
import * as Effect from "effect/Effect"
import { names } from "./commands.ts"
import type { Page } from "./Pages.ts"
import { program } from "./program.ts"

const all: ReadonlyArray<ReadonlyArray<string>> = [["--help"], ["--version"], ...names.map((name) => [name, "--help"])]

const render = (words: ReadonlyArray<string>): Effect.Effect<Page> =>
  Effect.suspend(() => {
    let text = ""
    const write = (part: string, done?: () => void): void => {
      text += part
      done?.()
    }
    return Effect.map(program(words, { stdout: { write, isTTY: true }, stderr: { write } }), () => ({ words, text }))
  })

/** Every page: the help of the program and of each command, and the version. */
export const renderPages = (): Promise<ReadonlyArray<Page>> => Effect.runPromise(Effect.forEach(all, render))
