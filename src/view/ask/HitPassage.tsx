// @jsxRuntime automatic @jsxImportSource preact
/** The passage of a hit as its document shows it, with the matching words marked. */
import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import type { Hit } from "../../internal/look/messages.ts"
import { Rendered } from "../markdown/Rendered.tsx"
import { segments } from "../markdown/segments.ts"
import { plain } from "../parts/Shown.tsx"
import { Passage } from "./HitCard.tsx"
import { full } from "./passage.ts"

export const HitPassage = ({ hit }: { hit: Hit }): JSX.Element => {
  const { text } = hit.chunk
  const parts = useMemo(() => segments(text), [text])
  return (
    <article
      class={hit.verbatim ? "excerpt source" : "excerpt prose"}
      lang=""
      dir="auto"
      aria-label={`Passage of ${plain(hit.citation)}`}
    >
      {hit.verbatim ? (
        <Passage passage={full(hit)} reachable={false} />
      ) : (
        parts.map((segment) => (
          <Rendered key={segment.start} markdown={text} marks={hit.highlights} segment={segment} />
        ))
      )}
    </article>
  )
}
