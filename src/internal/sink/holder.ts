/** The one open handle of a sink: opened, used, put in order and closed. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

export interface Holder<Handle, E> {
  /** The open handle; fails where there is none. */
  readonly handle: Effect.Effect<Handle, E>
  /** The open handle, or one for looking only, which is opened when it is first asked for. */
  readonly looking: Effect.Effect<Handle, E>
  /** Notes that something is about to be changed by it. */
  readonly changing: Effect.Effect<Handle, E>
  /** Opens a handle in the place of the one before, which is put in order and closed first. */
  readonly open: (opening: Effect.Effect<Handle, E, Scope.Scope>) => Effect.Effect<void, E>
  /** Puts the target in order. */
  readonly finish: Effect.Effect<void, E>
  /** Puts in order what was changed, and closes whatever is open. */
  readonly end: Effect.Effect<void, E>
  /** Closes whatever is open, as it is. */
  readonly close: Effect.Effect<void>
}

interface Open<Handle> {
  readonly handle: Handle
  readonly scope: Scope.CloseableScope
}

export const make = <Handle, E>(options: {
  /** What a use fails with while nothing is open. */
  readonly notOpen: Effect.Effect<never, E>
  readonly read: Effect.Effect<Handle, E, Scope.Scope> | null
  readonly finish: (handle: Handle, changed: boolean) => Effect.Effect<void, E>
}): Holder<Handle, E> => {
  let current: Open<Handle> | null = null
  let reader: Open<Handle> | null = null
  let changed = false

  const opening = Effect.unsafeMakeSemaphore(1)

  const opened = (effect: Effect.Effect<Handle, E, Scope.Scope>, keep: (open: Open<Handle>) => void) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const handle = yield* restore(Scope.extend(effect, scope)).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        keep({ handle, scope })
        return handle
      })
    )
  const handle = Effect.suspend(() => (current === null ? options.notOpen : Effect.succeed(current.handle)))
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
    handle,
    changing: Effect.tap(handle, () => {
      changed = true
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
