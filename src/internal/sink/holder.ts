/** The one open handle of a sink: opened, used, tidied and closed. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

export interface Holder<Handle, E> {
  /** The open handle, or a read-only one, which is opened on first use. */
  readonly looking: Effect.Effect<Handle, E>
  /** The open handle, for a change, which is noted; fails as `closed` when there is none. */
  readonly changing: Effect.Effect<Handle, E>
  /** Opens a handle in place of the previous one, which is tidied and closed first. */
  readonly open: (opening: Effect.Effect<Handle, E, Scope.Scope>) => Effect.Effect<void, E>
  /** Tidies the target. */
  readonly finish: Effect.Effect<void, E>
  /** Tidies the target if it was changed, and closes any open handle. */
  readonly end: Effect.Effect<void, E>
  /** Closes any open handle without tidying. */
  readonly close: Effect.Effect<void>
}

interface Open<Handle> {
  readonly handle: Handle
  readonly scope: Scope.CloseableScope
}

export const make = <Handle, E>(options: {
  /** Failure of a look while nothing is open, nor can be to read. */
  readonly notOpen: Effect.Effect<never, E>
  /** Failure of a change while nothing is open. */
  readonly closed: Effect.Effect<never, E>
  readonly read: Effect.Effect<Handle, E, Scope.Scope> | null
  readonly finish: (handle: Handle, changed: boolean) => Effect.Effect<void, E>
}): Holder<Handle, E> => {
  let current: Open<Handle> | null = null
  let reader: Open<Handle> | null = null
  let changed = false

  const opening = Effect.unsafeMakeSemaphore(1)

  const opened = (effect: Effect.Effect<Handle, E, Scope.Scope>, keep: (open: Open<Handle>) => void) =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        const scope = yield* Scope.make()
        const handle = yield* restore(Scope.extend(effect, scope)).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        keep({ handle, scope })
        return handle
      })
    )
  const finish = Effect.suspend(() => {
    if (current === null) return Effect.void
    return Effect.tap(options.finish(current.handle, changed), () => {
      changed = false
    })
  })
  const order = Effect.suspend(() => (changed ? finish : Effect.void))
  const close = Effect.suspend(() => {
    const scopes = [current, reader].flatMap((open) => (open === null ? [] : [open.scope]))
    current = null
    reader = null
    changed = false
    return Effect.forEach(scopes, (scope) => Scope.close(scope, Exit.void), { discard: true })
  }).pipe(Effect.uninterruptible)

  return {
    changing: Effect.suspend(() => {
      if (current === null) return options.closed
      changed = true
      return Effect.succeed(current.handle)
    }),
    looking: Effect.suspend(() => {
      const open = current ?? reader
      if (open !== null) return Effect.succeed(open.handle)
      if (options.read === null) return options.notOpen
      return opened(options.read, (made) => {
        reader = made
      })
    }).pipe(opening.withPermits(1)),
    open: (effect) =>
      order.pipe(
        Effect.zipRight(close),
        Effect.zipRight(
          opened(effect, (made) => {
            current = made
          })
        ),
        Effect.asVoid
      ),
    finish,
    end: Effect.ensuring(order, close),
    close
  }
}
