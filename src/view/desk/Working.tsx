// @jsxRuntime automatic @jsxImportSource preact
/** Progress of a document: what is sent, then how long the parse takes. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { percent, sized, timed } from "../../internal/base/figures.ts"
import { Meter } from "../parts/Meter.tsx"
import type { Entry } from "./desk.ts"

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
          <div class="pulse" role="progressbar" aria-label="The document is being parsed" />
          <p>{timed(Math.max(0, now - stage.since))}</p>
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
