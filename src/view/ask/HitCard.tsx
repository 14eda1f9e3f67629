// @jsxRuntime automatic @jsxImportSource preact
/** One hit: where it is from, how well it fits, and its text with the matching words marked. */
import type { JSX } from "preact"
import { percent } from "../../internal/base/figures.ts"
import type { Hit } from "../../internal/look/messages.ts"
import { Copy } from "../parts/Copy.tsx"
import { Meter } from "../parts/Meter.tsx"
import { Shown } from "../parts/Shown.tsx"
import { around, full, type Passage as Parts } from "./passage.ts"

/** Most characters of a hit that is not chosen. */
const glimpse = 280

/** Text with its matching words marked; `reachable` by the Tab key, where it may be longer than its place. */
export const Passage = ({ passage, reachable }: { passage: Parts; reachable: boolean }): JSX.Element => (
  <p class="passage" lang="" dir="auto" {...(reachable && { tabIndex: 0, role: "group", "aria-label": "Passage" })}>
    {passage.cutBefore && "… "}
    {passage.parts.map(({ match, text }, at) =>
      match ? (
        <mark key={at}>
          <Shown text={text} />
        </mark>
      ) : (
        <Shown key={at} text={text} />
      )
    )}
    {passage.cutAfter && " …"}
  </p>
)

const Share = ({ name, title, value }: { name: string; title: string; value: number | null }): JSX.Element | null =>
  value === null ? null : (
    <div title={title}>
      <dt>{name}</dt>
      <dd>
        <Meter label={null} part={value} whole={1} /> {percent(value)}
      </dd>
    </div>
  )

const Scores = ({ hit }: { hit: Hit }): JSX.Element => (
  <dl class="scores">
    <div title="Order of this answer; not comparable with other answers">
      <dt>score</dt>
      <dd>{Number(hit.score.toPrecision(3))}</dd>
    </div>
    <Share name="relevance" title="Evidence that the passage is about the question" value={hit.relevance} />
    <Share name="words" title="Share of the question's words that the passage has" value={hit.matched} />
    <Share name="similarity" title="Likeness of the meanings, by their vectors" value={hit.similarity} />
  </dl>
)

/** Arrow keys on the heading's button are handled by the list around it. */
export const HitCard = ({
  at,
  chosen,
  hit,
  onChoose
}: {
  at: number
  chosen: boolean
  hit: Hit
  onChoose: () => void
}): JSX.Element => {
  const { chunk, citation } = hit
  return (
    <li class={chosen ? "hit chosen" : "hit"} data-hit={at} onClick={onChoose}>
      <div class="hit-head">
        <button
          type="button"
          class="hit-name"
          aria-current={chosen}
          tabIndex={chosen ? 0 : -1}
          onFocus={onChoose}
          aria-label={`Hit ${at + 1}: ${citation}`}
        >
          <span class="rank">{at + 1}</span>{" "}
          <bdi>
            <Shown text={citation} />
          </bdi>
        </button>
        <Copy text={() => citation} what={`citation ${citation}`} />
      </div>
      {chunk.headingPath.length > 0 && (
        <p class="path">
          {chunk.headingPath.map(({ text }, level) => (
            <>
              {level === 0 ? "" : " › "}
              <bdi>
                <Shown text={text} />
              </bdi>
            </>
          ))}
        </p>
      )}
      <Passage passage={chosen ? full(hit) : around(hit, glimpse)} reachable={chosen} />
      <Scores hit={hit} />
      {chunk.notes.length > 0 && (
        <p class="notes">
          <Shown text={chunk.notes.join(", ")} />
        </p>
      )}
    </li>
  )
}
