// @jsxRuntime automatic @jsxImportSource preact
/** Programs and commands that do the same as the page. */
import type { JSX } from "preact"
import { Copy } from "../parts/Copy.tsx"
import { command, curl, plainAsync, type Wish, withEffect } from "./snippets.ts"

const programs: ReadonlyArray<{
  readonly title: string
  readonly note: string
  readonly make: (wish: Wish) => string
  /** True for a program that asks the service, which takes no texts. */
  readonly asks?: true
}> = [
  { title: "Command line", note: "Chunks as JSON lines.", make: command },
  { title: "TypeScript, plain async", note: "No Effect needed.", make: plainAsync },
  { title: "TypeScript with Effect", note: "Typed errors, streams and layers.", make: withEffect },
  { title: "curl", note: "The parse over HTTP, from this server.", make: curl, asks: true }
]

export const Code = ({ wish }: { wish: Wish }): JSX.Element => (
  <div class="scroll snippets" tabIndex={0} role="region" aria-label="Programs that do the same">
    {programs.map(({ asks, make, note, title }) => {
      if (asks === true && wish.text) return null
      const text = make(wish)
      return (
        <section key={title}>
          <div class="bar">
            <h2>{title}</h2>
            <span class="dim grow">{note}</span>
            <Copy what={title} text={() => text} />
          </div>
          <pre class="code" tabIndex={0}>
            <code>{text.trimEnd()}</code>
          </pre>
        </section>
      )
    })}
  </div>
)
