/** Item at an index that the caller knows to exist; without a check, which would cost time on every access. */
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
export const at = <A>(items: ReadonlyArray<A>, index: number): A => items[index] as A

/** Last item of an array. Checks the length first: reading index -1 of an empty array is many times slower. */
export const last = <A>(items: ReadonlyArray<A>): A | undefined =>
  items.length === 0 ? undefined : items[items.length - 1]
