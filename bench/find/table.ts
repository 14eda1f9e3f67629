/** Scores of searches over a set, by how much ours are ahead, and both as Markdown. */

interface Half {
  readonly questions: number
  /** The finest level of truth that the set has. */
  readonly level: string
  readonly measures: Readonly<Record<string, number>>
  /** 95 %, by bootstrap. */
  readonly mrrInterval: ReadonlyArray<number>
}

export interface Score {
  /** Null where no question is in the half. */
  readonly dev: Half | null
  readonly unseen: Half | null
  readonly cpuMsPerQuestion: number
}

/** By the name of the search. */
type Scores = Readonly<Record<string, Score>>

type Ahead = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>

export interface Result {
  readonly chunks: number
  readonly questions: number
  readonly ours: Scores
  readonly others: Scores
  readonly ahead: Ahead
}

const compared = ["mrr", "hit@5"] as const

const entriesOf = (scores: Scores): ReadonlyArray<readonly [string, Score]> => Object.entries(scores)

const difference = (own: Score, other: Score, measure: string): number =>
  Number(((own.unseen?.measures[measure] ?? 0) - (other.unseen?.measures[measure] ?? 0)).toFixed(3))

/** Ours less each other search on the unseen half; below 0 where we are behind. */
export const ahead = ({ others, ours }: Pick<Result, "ours" | "others">): Ahead =>
  Object.fromEntries(
    entriesOf(ours).map(([name, own]) => [
      name,
      Object.fromEntries(
        entriesOf(others).map(([rival, other]) => [
          rival,
          Object.fromEntries(compared.map((measure) => [measure, difference(own, other, measure)]))
        ])
      )
    ])
  )

const columns = [
  ["MRR", "mrr"],
  ["hit@5", "hit@5"],
  ["recall, 500 tokens", "recall@500tokens"],
  ["MAP", "map"]
] as const

const rows = (head: ReadonlyArray<string>, body: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const figure = (half: Half | null, measure: string): string => half?.measures[measure]?.toFixed(3) ?? "–"

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`

const halvesOf = ({ dev, unseen }: Score): string => `${dev?.questions ?? 0} and ${unseen?.questions ?? 0} questions`

const section = (name: string, { ahead: by, chunks, others, ours }: Result): string => {
  const all = [...entriesOf(ours), ...entriesOf(others)]
  const [first] = all
  const scores = all.map(([search, { cpuMsPerQuestion, dev, unseen }]) =>
    [search].concat(
      columns.map(([, measure]) => `${figure(dev, measure)} → ${figure(unseen, measure)}`),
      cpuMsPerQuestion.toFixed(1)
    )
  )
  const rivals = Object.keys(others)
  const differences = Object.entries(by).map(([own, against]) =>
    [own].concat(rivals.map((rival) => compared.map((measure) => signed(against[rival]?.[measure] ?? 0)).join(" / ")))
  )
  return [
    `${name}, ${chunks} chunks, ${first === undefined ? "no search" : halvesOf(first[1])}, dev → unseen:`,
    rows(["", ...columns.map(([title]) => title), "CPU ms"], scores),
    "Ahead on the unseen half, MRR / hit@5:",
    rows(["", ...rivals], differences)
  ].join("\n\n")
}

export const markdown = (results: Readonly<Record<string, Result>>): string =>
  Object.entries(results)
    .map(([name, result]) => section(name, result))
    .join("\n\n")
