/** Cosine of the angle between two vectors of one length; null for a vector without a direction. */
export const cosine = (left: ArrayLike<number>, right: ArrayLike<number>): number | null => {
  let [product, one, other] = [0, 0, 0]
  for (let at = 0; at < left.length; at++) {
    const [a, b] = [left[at] ?? 0, right[at] ?? 0]
    product += a * b
    one += a * a
    other += b * b
  }
  const length = Math.sqrt(one * other)
  return length > 0 ? product / length : null
}
