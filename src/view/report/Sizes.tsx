// @jsxRuntime automatic @jsxImportSource preact
/** Histogram of chunk sizes: a table whose last column is drawn. */
import type { JSX } from "preact"
import { counted, grouped, percent } from "../../internal/base/figures.ts"
import type { ChunkSizes } from "../../internal/state/ledger/runReport.ts"
import { Table } from "./Table.tsx"

interface Bar {
  readonly from: number
  readonly upTo: number | null
  readonly chunks: number
}

/** The bars between the smallest and the largest chunk. */
const bars = (sizes: ReadonlyArray<ChunkSizes>): ReadonlyArray<Bar> => {
  const first = sizes.findIndex(({ chunks }) => chunks > 0)
  const last = sizes.findLastIndex(({ chunks }) => chunks > 0)
  const all = sizes.map(({ chunks, upTo }, at) => ({
    from: at === 0 ? 0 : (sizes[at - 1]?.upTo ?? 0) + 1,
    upTo,
    chunks
  }))
  return first < 0 ? [] : all.slice(first, last + 1)
}

const span = ({ from, upTo }: Bar): string =>
  upTo === null ? `${grouped(from)} and more` : `${grouped(from)}–${grouped(upTo)}`

export const Sizes = ({ sizes }: { sizes: ReadonlyArray<ChunkSizes> }): JSX.Element | null => {
  const shown = bars(sizes)
  const total = shown.reduce((sum, { chunks }) => sum + chunks, 0)
  const most = Math.max(1, ...shown.map(({ chunks }) => chunks))
  if (total === 0) return null
  return (
    <section>
      <h3>Chunk sizes</h3>
      <p class="dim">
        {counted(total, "chunk")} of the documents stored in this run, by their tokens. Bars differ in the width of
        their range.
      </p>
      <Table
        sizes
        label="Chunk sizes"
        columns={[
          { title: "Tokens", kind: "number" },
          { title: "Chunks", kind: "number" },
          { title: "Share", kind: "number" },
          { title: "", kind: "share" }
        ]}
        rows={shown.map((bar) => ({
          key: bar.from,
          cells: [
            span(bar),
            grouped(bar.chunks),
            percent(bar.chunks / total),
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect class="bar" width={(100 * bar.chunks) / most} height={8} />
            </svg>
          ]
        }))}
      />
    </section>
  )
}
