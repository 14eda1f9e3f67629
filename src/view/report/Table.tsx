// @jsxRuntime automatic @jsxImportSource preact
/** A table that scrolls by itself where it is wider than the page. */
import type { ComponentChildren, JSX } from "preact"

export interface Column {
  readonly title: string
  readonly kind?: "number" | "name" | "message" | "share" | "look" | "time" | "result" | undefined
}

export interface Row {
  readonly key: string | number
  /** One for each column; the first one names the row. */
  readonly cells: ReadonlyArray<ComponentChildren>
}

/** `label` says what the table shows; it is read out, and not drawn. */
export const Table = ({
  columns,
  label,
  rows,
  dense = false,
  sizes = false
}: {
  label: string
  columns: ReadonlyArray<Column>
  rows: ReadonlyArray<Row>
  sizes?: boolean
  /** Narrow cells, for a table of many columns. */
  dense?: boolean
}): JSX.Element => (
  <div class={sizes ? "wide sizes" : dense ? "wide dense" : "wide"} role="region" aria-label={label} tabIndex={0}>
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ kind, title }) =>
            title === "" ? (
              <td key={title} class={kind} />
            ) : (
              <th key={title} scope="col" class={kind}>
                {title}
              </th>
            )
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells, key }) => (
          <tr key={key}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row" class={columns[at]?.kind}>
                  {cell}
                </th>
              ) : (
                <td key={at} class={columns[at]?.kind}>
                  {cell}
                </td>
              )
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
