/** Columns of rows of either database; each reader throws `DatabaseFailure` for a value of another kind. */
import { corrupted, type Row, text as textOfBytes } from "./libsql.ts"

/** A whole number; the driver of PostgreSQL gives one of 64 bits as a text. */
export const integer = (row: Row, column: number): number => {
  const value = row[column]
  const number = typeof value === "string" ? Number(value) : value
  if (typeof number === "number" && Number.isSafeInteger(number)) return number
  throw corrupted(`column ${column} does not hold a whole number`)
}

/** A text; libSQL gives it as bytes. */
export const text = (row: Row, column: number): string => {
  const value = row[column]
  return typeof value === "string" ? value : textOfBytes(row, column)
}

export const bytes = (row: Row, column: number): Uint8Array => {
  const value = row[column]
  if (value instanceof Uint8Array) return value
  throw corrupted(`column ${column} does not hold bytes`)
}

/** A truth value, which libSQL gives as 0 or 1. */
export const flag = (row: Row, column: number): boolean => row[column] === true || row[column] === 1

export const nullable = <A>(row: Row, column: number, read: (row: Row, column: number) => A): A | null =>
  row[column] === null || row[column] === undefined ? null : read(row, column)
