/** The item at an index that the caller knows to be there; the compiler does not, and a check on every access costs time. */
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
export const at = <A>(items: ReadonlyArray<A>, index: number): A => items[index] as A
