// @jsxRuntime automatic @jsxImportSource preact
/** An evaluation as one page, without script, external address or anything else to load: measures, curves and misses. */
import type { JSX } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Comparison, LevelResult, Miss, Run } from "../../Evaluation.ts"
import { counted } from "../../internal/base/figures.ts"
import { Shown } from "../parts/Shown.tsx"
import { colourOf, Curves } from "./Curves.tsx"
import { Frame } from "./Frame.tsx"
import { type Row, Table } from "./Table.tsx"
import { css } from "./theme.ts"

export { css }

interface Measured {
  readonly run: Run
  readonly result: LevelResult
}

type Measures = LevelResult["measures"]

const numbersOf = (measures: Measures, pattern: RegExp): ReadonlyArray<number> =>
  Object.keys(measures).flatMap((name) => {
    const [, number] = pattern.exec(name) ?? []
    return number === undefined ? [] : [Number(number)]
  })

const valueOf = (measures: Measures, name: string): number => measures[name]?.value ?? 0

const Value = ({ measures, name }: { measures: Measures; name: string }): JSX.Element => {
  const measure = measures[name]
  return measure === undefined ? (
    <></>
  ) : (
    <>
      {measure.value.toFixed(3)}{" "}
      <small>
        {measure.low.toFixed(2)}–{measure.high.toFixed(2)}
      </small>
    </>
  )
}

const rowsOf = ({ result, run }: Measured, at: number, names: ReadonlyArray<string>): ReadonlyArray<Row> => [
  {
    key: run.name,
    cells: [
      <>
        <svg class={`key ${colourOf(at)}`} aria-hidden="true">
          <rect />
        </svg>
        <Shown text={run.name} />
      </>,
      result.questions,
      ...names.map((name) => <Value measures={result.measures} name={name} />)
    ]
  },
  ...result.kinds.map((kind) => ({
    key: `${run.name} ${kind.kind}`,
    cells: [
      <span class="dim">
        <Shown text={kind.kind} />
      </span>,
      kind.questions,
      ...names.map((name) => <Value measures={kind.measures} name={name} />)
    ]
  }))
]

const Level = ({ all, level }: { level: string; all: ReadonlyArray<Measured> }): JSX.Element => {
  const measures = all[0]?.result.measures ?? {}
  const hits = numbersOf(measures, /^recall@(\d+)$/u)
  const tokens = numbersOf(measures, /^recall@(\d+)tokens$/u)
  const gain = numbersOf(measures, /^ndcg@(\d+)$/u).at(-1)
  const names = [
    ...hits.map((k) => `recall@${k}`),
    "mrr",
    ...(gain === undefined ? [] : [`ndcg@${gain}`]),
    "map",
    ...tokens.map((each) => `recall@${each}tokens`)
  ]
  const curves = (nameOf: (place: number) => string, places: ReadonlyArray<number>) =>
    all.map(({ result, run }) => ({
      name: run.name,
      values: places.map((place) => valueOf(result.measures, nameOf(place)))
    }))
  return (
    <section>
      <h2>{level}</h2>
      <Table
        dense
        label={`Measures at the level of the ${level}`}
        columns={[
          { title: "Search", kind: "name" },
          { title: "Questions", kind: "number" },
          ...names.map((title) => ({ title, kind: "number" as const }))
        ]}
        rows={all.flatMap((one, at) => rowsOf(one, at, names))}
      />
      <div class="figures">
        <Curves title="Recall over hits" places={hits} curves={curves((k) => `recall@${k}`, hits)} />
        <Curves title="Recall over tokens" places={tokens} curves={curves((each) => `recall@${each}tokens`, tokens)} />
      </div>
    </section>
  )
}

const Missed = ({ miss }: { miss: Miss }): JSX.Element => (
  <article class="failure">
    <h4>
      <Shown text={miss.question} />
    </h4>
    <p>
      Wanted: <Shown text={miss.wanted} />{" "}
      <span class="dim">({miss.rank === null ? "not found" : `found at ${miss.rank}`})</span>
    </p>
    {miss.answer === undefined ? null : (
      <p class="dim">
        Answer: <Shown text={miss.answer} />
      </p>
    )}
    {miss.came.length === 0 ? <p>Nothing came that fits.</p> : null}
    <ol>
      {miss.came.map(({ citation, text }, at) => (
        <li key={at}>
          <Shown text={citation} />
          <br />
          <small>
            <Shown text={text} />
          </small>
        </li>
      ))}
    </ol>
  </article>
)

const Misses = ({ alone, run }: { run: Run; alone: boolean }): JSX.Element | null => {
  const { misses } = run.result
  if (misses.length === 0) return null
  return (
    <section>
      <details open={alone}>
        <summary>
          <Shown text={`${run.name}: ${counted(misses.length, "question")} without a right hit`} />
        </summary>
        {misses.map((miss, at) => (
          <Missed key={at} miss={miss} />
        ))}
      </details>
    </section>
  )
}

const EvaluationPage = ({ comparison, styleHash }: { comparison: Comparison; styleHash: string }): JSX.Element => {
  const { runs } = comparison
  const levels = [...new Set(runs.flatMap(({ result }) => result.levels.map(({ level }) => level)))]
  return (
    <Frame title={`Search over ${counted(runs[0]?.result.questions ?? 0, "question")}`} styleHash={styleHash}>
      <p class="dim">Means over the questions, each with its 95 % interval.</p>
      {levels.map((level) => (
        <Level
          key={level}
          level={level}
          all={runs.flatMap((run) =>
            run.result.levels.flatMap((result) => (result.level === level ? [{ run, result }] : []))
          )}
        />
      ))}
      <h2>Misses</h2>
      {runs.every(({ result }) => result.misses.length === 0) ? <p>None.</p> : null}
      {runs.map((run) => (
        <Misses key={run.name} run={run} alone={runs.length === 1} />
      ))}
    </Frame>
  )
}

/** The page as HTML. */
export const render = (comparison: Comparison, styleHash: string): string =>
  `<!DOCTYPE html>${renderToString(<EvaluationPage comparison={comparison} styleHash={styleHash} />)}\n`
