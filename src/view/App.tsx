// @jsxRuntime automatic @jsxImportSource preact
/** The page of the server and the reports of runs: components that a browser runs, or that become text on this machine. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Settings } from "../internal/look/messages.ts"
import { Ask } from "./ask/Ask.tsx"
import { removeEarly } from "./ask/early.ts"
import { Calls, type Trouble } from "./desk/calls.ts"
import { defaults, equal } from "./desk/choices.ts"
import { Desk } from "./desk/desk.ts"
import { Choose, DropVeil } from "./desk/Drop.tsx"
import { KeyField } from "./desk/KeyField.tsx"
import { Options } from "./desk/Options.tsx"
import { Shelf } from "./desk/Shelf.tsx"
import { useStore } from "./desk/store.ts"
import { Welcome } from "./desk/Welcome.tsx"
import { Document } from "./Document.tsx"
import { TroubleCard } from "./parts/TroubleCard.tsx"

/** The whole page once the settings are there. Long, since its markup stands in the order of the page. */
const Ready = ({
  desk,
  early,
  settings
}: {
  desk: Desk
  /** Files that were dropped before the settings were there. */
  early: ReadonlyArray<File>
  settings: Settings
}): JSX.Element => {
  const state = useStore(desk, (whole) => whole)
  const { choices, entries, locked, said } = state
  const [keyed, setKeyed] = useState(false)
  const { store } = settings
  const [asking, setAsking] = useState(store !== null && settings.documents.length === 0 && early.length === 0)
  const shown = desk.shown
  useEffect(() => {
    desk.open(settings.documents)
    if (early.length > 0) desk.drop(early)
  }, [desk, early, settings])
  const drop = (files: ReadonlyArray<File>) => {
    setAsking(false)
    desk.drop(files)
  }
  return (
    <div class={entries.length === 0 ? "frame empty" : "frame"}>
      <DropVeil onFiles={drop} />
      <aside class="sidebar" aria-label="Documents and options">
        <header class="brand">
          <b>docsluice</b> <span class="dim">{settings.version}</span>
        </header>
        {store !== null && (
          <nav class="places" aria-label="Parts of this page">
            <button type="button" aria-current={asking ? "page" : undefined} onClick={() => setAsking(true)}>
              Search
            </button>
            <button type="button" aria-current={asking ? undefined : "page"} onClick={() => setAsking(false)}>
              Documents
            </button>
          </nav>
        )}
        {settings.keyed && (locked || !keyed) && (
          <KeyField
            refused={locked && keyed}
            onKey={(key) => {
              setKeyed(true)
              desk.unlock(key)
            }}
          />
        )}
        {!settings.keyed && locked && <KeyField refused={keyed} onKey={(key) => (setKeyed(true), desk.unlock(key))} />}
        {entries.length > 0 && (
          <>
            <Choose label="Add files" large={false} extensions={settings.extensions} onFiles={drop} />
            <Shelf
              entries={entries}
              shown={state.shown}
              onShow={(key) => {
                setAsking(false)
                desk.show(key)
              }}
              onRemove={(key) => desk.remove(key)}
            />
            {!asking && (
              <details class="fold" open={window.innerWidth >= 800}>
                <summary>Options</summary>
                <Options
                  choices={choices}
                  onChoose={(next) => desk.choose(next)}
                  changed={shown?.parsedWith !== null && !equal(shown?.parsedWith, choices.parse)}
                  trouble={shown?.chunkTrouble ?? null}
                  onParse={
                    shown !== null && (shown.stage.step === "ready" || shown.stage.step === "failed")
                      ? () => desk.again(shown.key)
                      : null
                  }
                />
              </details>
            )}
          </>
        )}
      </aside>
      <main>
        {asking && store !== null ? (
          <Ask calls={desk.calls} store={store} pictured={settings.pictures} onLocked={() => desk.lock()} />
        ) : shown === null ? (
          <Welcome settings={settings} onFiles={drop} onSample={(sample) => desk.sample(sample)} />
        ) : (
          <Document key={shown.key} desk={desk} entry={shown} choices={choices} settings={settings} />
        )}
      </main>
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  )
}

export const App = (): JSX.Element => {
  const [calls] = useState(() => new Calls())
  const [desk] = useState(() => new Desk(calls, defaults))
  const [settings, setSettings] = useState<Settings | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [early, setEarly] = useState<ReadonlyArray<File>>([])
  const load = async () => {
    setTrouble(null)
    const outcome = await calls.settings()
    if (outcome.ok) return setSettings(outcome.value)
    removeEarly()
    setTrouble(outcome.trouble)
  }
  useEffect(() => void load(), [])
  const veil = <DropVeil onFiles={(files) => setEarly((before) => [...before, ...files])} />
  if (trouble !== null) {
    return (
      <main class="alone">
        {veil}
        <TroubleCard title="The page cannot begin" trouble={trouble} onRetry={() => void load()} />
      </main>
    )
  }
  return settings === null ? (
    <main class="alone" aria-busy="true">
      {veil}
    </main>
  ) : (
    <Ready desk={desk} early={early} settings={settings} />
  )
}
