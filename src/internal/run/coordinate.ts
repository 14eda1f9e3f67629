import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Outcome } from "../../Outcome.ts"
import { Source } from "../../Source.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { orNothing } from "./absent.ts"
import type { Carry } from "./carry.ts"
import { compare, repeats, sound } from "./compare.ts"
import { close } from "./finish.ts"
import { finishSinks } from "./openSinks.ts"
import type { AnyOptions } from "./options.ts"
import type { Context } from "./prepare.ts"
import { reported } from "./progress.ts"
import { readAhead } from "./readAhead.ts"
import { withhold } from "./withhold.ts"

/** Default of `lookAhead`. */
const ahead = 20_000

/**
 * The half of a run that sees all files: finds them, compares them with the ledger, gives them to the road, holds back what is not certain,
 * and removes what is gone once every file has its outcome. The road ends at {@link Work}.
 */
export const coordinate = <E, R, E2>(
  options: AnyOptions<E, R>,
  carry: Carry<E2>,
  context: Context
): Stream.Stream<Outcome, E | E2, R | Tokenizer> => {
  const { session, trace, writers } = context
  const ordered = options.ordered ?? false
  const lookAhead = Math.max(1, options.lookAhead ?? ahead)
  const scope = options.source instanceof Source ? options.source.scope : null
  const files = options.source instanceof Source ? options.source.files : options.source
  const { memory } = context
  const known = (): boolean =>
    memory !== null && !memory.options.partial && memory.found === 0 && memory.scan.claimed > 0
  const found = readAhead(Stream.map(orNothing(known)(files), sound), {
    capacity: lookAhead,
    through: compare(session, memory, repeats(scope?.root ?? "")),
    halt: Effect.ignore(session.whenStopped),
    pulled: (count) => {
      session.discovered += count
    },
    ended: () => {
      session.complete = true
    }
  })
  const settled = carry(context, options)(found)
  const last = trace.run(
    Effect.zipRight(
      Effect.catchAll(close(context), (error) => Effect.sync(() => session.halt(error))),
      finishSinks(session, writers)
    )
  )
  const outcomes = trace.settled(withhold(context, { ordered, capacity: lookAhead })(settled))
  return Stream.concat(reported(outcomes, session, options.onProgress), Stream.drain(Stream.fromEffect(last)))
}
