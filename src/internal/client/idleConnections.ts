/**
 * Estimated number of idle kept-alive connections of the transport: each answer read to its end adds one, each request takes one if there
 * is one. No transport tells which connection a request used; this count follows the behaviour of their pools.
 */
export interface IdleConnections {
  /** Takes an idle connection for a request that starts now; true if the request may use a connection that was used before. */
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
