/** Runs of neighbours that belong together. */

/** Divides values, in their order, into runs: a value continues the open run if `continues`, and begins another one otherwise. */
export const runsOf = <A>(
  values: Iterable<A>,
  continues: (open: ReadonlyArray<A>, last: A, next: A) => boolean
): ReadonlyArray<ReadonlyArray<A>> => {
  const runs: Array<Array<A>> = []
  for (const value of values) {
    const open = runs.at(-1)
    const last = open?.at(-1)
    if (open !== undefined && last !== undefined && continues(open, last, value)) open.push(value)
    else runs.push([value])
  }
  return runs
}
