/** The item at an index that the caller knows to be there; the compiler does not, and a check on every access costs time. */
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
export const at = <A>(items: ReadonlyArray<A>, index: number): A => items[index] as A

/** The last item; asking an empty array for its item -1 takes many times as long as asking whether it is empty. */
export const last = <A>(items: ReadonlyArray<A>): A | undefined =>
  items.length === 0 ? undefined : items[items.length - 1]
