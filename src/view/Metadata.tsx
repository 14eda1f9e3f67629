// @jsxRuntime automatic @jsxImportSource preact
/** The document's metadata, its warnings, and how long it is kept. */
import type { JSX } from "preact"
import { grouped, sized, timed } from "../internal/base/figures.ts"
import type { Parsed, Received } from "../internal/look/messages.ts"
import { Fact } from "./chunks/Facts.tsx"
import { Shown } from "./parts/Shown.tsx"

const written = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(written).join(", ") : JSON.stringify(value)

export const Metadata = ({ parsed, received }: { parsed: Parsed; received: Received }): JSX.Element => {
  const { data } = parsed.answer
  const members = Object.entries(data.metadata).filter(([, value]) => value !== undefined && value !== null)
  return (
    <div class="scroll metadata" tabIndex={0} role="region" aria-label="Metadata of the document">
      <dl class="facts">
        <Fact name="Size">{sized(received.bytes)}</Fact>
        {parsed.pages.length > 0 && <Fact name="Pages">{grouped(parsed.pages.length)}</Fact>}
        <Fact name="Markdown">{grouped(data.markdown?.length ?? 0)} characters</Fact>
        <Fact name="Parsed in">{timed(parsed.took)}</Fact>
      </dl>
      {parsed.warnings.length > 0 && (
        <section class="warnings">
          <h2>Warnings</h2>
          <ul>
            {parsed.warnings.map((line, at) => (
              <li key={at}>
                <Shown text={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <table class="members">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {members.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">
                <Shown text={name} />
              </th>
              <td>
                <Shown text={written(value)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
