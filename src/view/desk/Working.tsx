// @jsxRuntime automatic @jsxImportSource preact
/** Progress of a document: what is sent, then how long the parse takes. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { counted, grouped, percent, sized, timed } from "../../internal/base/figures.ts"
import type { Progress } from "../../internal/look/messages.ts"
import { Meter } from "../parts/Meter.tsx"
import type { Entry } from "./desk.ts"

const pagesDone = ({ done, of, step }: Progress): string =>
  step === "read"
    ? `${grouped(done)} of ${counted(of, "page")} read`
    : `text of ${grouped(done)} of ${counted(of, "scanned page")} recognised`

const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [])
  return now
}

export const Working = ({
  entry: { bytes, name, stage },
  onCancel
}: {
  entry: Entry
  onCancel: () => void
}): JSX.Element => {
  const now = useNow()
  return (
    <section class="working" aria-label={`Progress of ${name}`}>
      {stage.step === "sending" && (
        <>
          <h2>Sending</h2>
          <Meter label={`${percent(stage.share)} sent`} part={stage.share} whole={1} />
          <p>
            {percent(stage.share)} of {sized(bytes)}
          </p>
        </>
      )}
      {stage.step === "parsing" && (
        <>
          <h2>Parsing</h2>
          {stage.pages === null ? (
            <div class="pulse" role="progressbar" aria-label="The document is being parsed" />
          ) : (
            <div
              role="progressbar"
              aria-label="The document is being parsed"
              aria-valuemin={0}
              aria-valuemax={stage.pages.of}
              aria-valuenow={stage.pages.done}
              aria-valuetext={pagesDone(stage.pages)}
            >
              <Meter label={null} part={stage.pages.done} whole={stage.pages.of} />
            </div>
          )}
          <p>
            {stage.pages !== null && `${pagesDone(stage.pages)} · `}
            {timed(Math.max(0, now - stage.since))}
          </p>
        </>
      )}
      {stage.step === "waiting" && (
        <>
          <h2>Waiting</h2>
          <p class="dim">Documents are worked on one after the other.</p>
        </>
      )}
      {stage.step !== "waiting" && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </section>
  )
}
