/** A text as the rules read it: with its fields and its likely languages, which are found once. */
import * as Bisection from "./Bisection.ts"
import * as Field from "./Field.ts"
import * as Language from "./Language.ts"
import type { Entity } from "./Span.ts"

export interface Reading {
  readonly text: string
  readonly fields: ReadonlyArray<Field.Field>
  readonly languages: ReadonlyArray<string>
  /** True for `aggressive`: recall counts more than precision. */
  readonly eager: boolean
  /** The field whose value holds the character at `at`. */
  readonly fieldAt: (at: number) => Field.Field | undefined
}

export const make = (text: string, eager: boolean): Reading => {
  const fields = Field.all(text)
  const fieldAt = (at: number): Field.Field | undefined => {
    const field = fields[Bisection.leading(fields.length, (index) => (fields[index]?.start ?? 0) <= at) - 1]
    return field !== undefined && at < field.end ? field : undefined
  }
  return { text, fields, languages: Language.guess(text), eager, fieldAt }
}

/** The part of the line before `at`, at most `most` characters. */
export const before = ({ text }: Reading, at: number, most: number): string => {
  const part = text.slice(Math.max(0, at - most), at)
  return part.slice(part.lastIndexOf("\n") + 1)
}

/**
 * True if the field at `at` is labelled with the bucket; false if with another one or with words that name none; undefined outside of
 * fields.
 */
export const labelledAs = (reading: Reading, at: number, entity: Entity): boolean | undefined => {
  const field = reading.fieldAt(at)
  return field === undefined ? undefined : field.label?.entity === entity
}
