import * as Effect from "effect/Effect"
import * as DeadLetter from "../../DeadLetter.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import { documentId } from "../../SourceFile.ts"
import { ofRun } from "../state/ledger/runLedger.ts"

/** Removes letters, of files that no longer exist for instance, from ledger and dead letters. */
export const forgetLetters = (
  gone: ReadonlyArray<DeadLetter.Entry>
): Effect.Effect<void, LedgerError | DeadLetter.DeadLetterError, Ledger | DeadLetter.DeadLetter> =>
  Effect.gen(function* () {
    if (gone.length === 0) return
    const ledger = ofRun(yield* Ledger)
    const letters = yield* DeadLetter.DeadLetter
    for (const { root, source } of gone) {
      yield* ledger.forgive({ documentId: documentId(root ?? "", source), path: source })
    }
    yield* letters.replace(yield* DeadLetter.ofLedger(ledger))
  })
