/** Sums and groups by key. */

/** Adds to the sum of a key. */
export const add = <Key>(sums: Map<Key, number>, key: Key, by = 1): void => {
  sums.set(key, (sums.get(key) ?? 0) + by)
}

/** Adds to the values of a key. */
export const gather = <Key, Value>(groups: Map<Key, Array<Value>>, key: Key, value: Value): void => {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

/** How often each value occurs. */
export const of = <Key>(values: Iterable<Key>): Map<Key, number> => {
  const sums = new Map<Key, number>()
  for (const value of values) add(sums, value)
  return sums
}

/** The key with the largest sum, the first of several; `otherwise` where no sum is positive. */
export const most = <Key>(sums: ReadonlyMap<Key, number>, otherwise: Key): Key => {
  let best = otherwise
  let highest = 0
  for (const [key, sum] of sums) {
    if (sum > highest) {
      best = key
      highest = sum
    }
  }
  return best
}
