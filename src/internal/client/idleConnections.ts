/**
 * How many kept-alive connections the transport may hold idle: each answer read to its end leaves one, each request takes one
 * where there is one. No transport tells which connection a request used; this count follows what their pools do.
 */
export interface IdleConnections {
  /** Whether the request that starts now may go out on a connection used before. */
  readonly take: () => boolean
  readonly give: () => void
}

export const idleConnections = (): IdleConnections => {
  let idle = 0
  return {
    take: () => {
      if (idle === 0) return false
      idle -= 1
      return true
    },
    give: () => {
      idle += 1
    }
  }
}
