/** What helps against a failure of the state's database, for the messages of ledger and caches. */
import type { DatabaseFailure, Reason } from "./libsql.ts"
import { ServerFailure, type ServerReason } from "./serverFailure.ts"

/** Words for a state on a server, which are the same for all of its parts. */
export const onServer: Readonly<Record<ServerReason, string>> = {
  Locked: "another program holds locks on the tables of this state; end it and run again",
  Corrupted: "a row of the state is not as it was written; restore the database, or name another schema",
  ReadOnly:
    "the state is opened for reading only, or the server takes no writes, as a standby does; name the primary server",
  Full: "the disk of the server is full; make room there",
  Io: "the server refused a statement on the state",
  Unreachable: "the server of the state cannot be reached; check host, port and network, and that it runs",
  TimedOut:
    "a statement on the state took too long; raise the server's statement_timeout or lock_timeout for this user, or see what keeps it busy",
  Denied:
    "the server refused this user; check the password, and that the user may create and write the tables of the schema",
  Missing:
    "the database or the tables of the state are not there; create the database, or run again to create the tables",
  Unsupported: "the package `pg` is needed for a state on PostgreSQL and cannot be loaded: npm install pg",
  Superseded:
    "another process took the document over while this one was stopped or cut off for longer than its lease; what that one stored counts"
}

/** The words for a failure, with those of the embedded store where it is one of its own. */
export const remedyOf = (failed: DatabaseFailure | ServerFailure, embedded: Readonly<Record<Reason, string>>): string =>
  failed instanceof ServerFailure ? onServer[failed.reason] : embedded[failed.reason]
