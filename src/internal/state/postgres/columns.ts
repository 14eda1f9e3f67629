import { corrupted, type Row } from "../libsql.ts"

/** A whole number, which the driver gives as a text when it has 64 bits. */
export const integer = (row: Row, column: number): number => {
  const value = row[column]
  const number = typeof value === "string" ? Number(value) : value
  if (typeof number === "number" && Number.isSafeInteger(number)) return number
  throw corrupted("a column does not hold a whole number")
}

export const text = (row: Row, column: number): string => {
  const value = row[column]
  if (typeof value === "string") return value
  throw corrupted("a column does not hold a text")
}

export const bytes = (row: Row, column: number): Uint8Array => {
  const value = row[column]
  if (value instanceof Uint8Array) return value
  throw corrupted("a column does not hold bytes")
}

export const flag = (row: Row, column: number): boolean => row[column] === true

export const nullable = <A>(row: Row, column: number, read: (row: Row, column: number) => A): A | null =>
  row[column] === null || row[column] === undefined ? null : read(row, column)
