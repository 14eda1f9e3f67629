// @jsxRuntime automatic @jsxImportSource preact
/** What a visitor sees first: what this is, and how to begin. */
import type { JSX } from "preact"
import { counted, sized, timed } from "../../internal/base/figures.ts"
import type { Settings } from "../../internal/look/messages.ts"
import { Choose } from "./Drop.tsx"

/** Types that are named; the others are counted. */
const known = ["pdf", "docx", "xlsx", "pptx", "html", "csv", "md", "txt", "json", "eml", "ipynb"]

export const Welcome = ({
  onFiles,
  onSample,
  settings
}: {
  onFiles: (files: ReadonlyArray<File>) => void
  onSample: (sample: Settings["samples"][number]) => void
  settings: Settings
}): JSX.Element => {
  const named = known.filter((extension) => settings.extensions.includes(extension))
  const others = settings.extensions.length - named.length
  return (
    <section class="welcome" aria-labelledby="welcome">
      <div class="target">
        <svg class="art" viewBox="0 0 120 96" aria-hidden="true">
          <rect class="leaf" x="14" y="6" width="58" height="80" rx="4" />
          <rect class="t-title ink" x="22" y="15" width="34" height="7" rx="1.5" />
          <rect class="t-text ink" x="22" y="28" width="42" height="16" rx="1.5" />
          <rect class="t-table ink" x="22" y="50" width="42" height="14" rx="1.5" />
          <rect class="t-figure ink" x="22" y="70" width="24" height="9" rx="1.5" />
          <path class="flow" d="M72 20h14M72 36h14M72 57h14" />
          <rect class="k0 ink" x="88" y="12" width="26" height="16" rx="3" />
          <rect class="k2 ink" x="88" y="33" width="26" height="12" rx="3" />
          <rect class="k1 ink" x="88" y="50" width="26" height="18" rx="3" />
        </svg>
        <h1 id="welcome">Drop a document</h1>
        <p>
          See its pages with every block that was found, the Markdown that comes of them, and the chunks that a search
          would store. Everything happens on the server that shows this page: no file leaves it, and each is deleted
          after {timed(settings.keptFor).replace(/ 0 s$/, "")}.
        </p>
        <Choose label="Choose files" large extensions={settings.extensions} onFiles={onFiles} />
        <p class="dim fine">
          {settings.extensions.length > 0 && (
            <>
              {named.join(", ")}
              {others > 0 && ` and ${counted(others, "more type")}`}
              {" · "}
            </>
          )}
          up to {sized(settings.maxBytes)}
        </p>
      </div>
      {settings.samples.length > 0 && (
        <div class="samples">
          <h2>Or try one of these</h2>
          <ul>
            {settings.samples.map((sample) => (
              <li key={sample.name}>
                <button type="button" onClick={() => onSample(sample)}>
                  <b>{sample.title}</b>
                  <small>
                    {sample.name} · {sized(sample.bytes)}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
