/** What helps against a failure of the state's database, for the messages of ledger and caches. */
import { type Message, option, problem, said, text } from "../base/message.ts"
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

/** Parts of the state that an error is named after. */
type Part = "LedgerError" | "ParseCacheError" | "EmbeddingCacheError" | "AgentJobsError" | "AccountsError"

const ofCache = (name: string): Readonly<Record<Reason, Message>> => ({
  Locked: "another process uses this cache; wait for it or name another state directory",
  Corrupted: `the ${name} is damaged; it starts empty the next time it is opened`,
  ReadOnly: `the ${name} cannot be written; change its permissions or name another state directory`,
  Full: `the disk of the ${name} is full`,
  Io: `the ${name} cannot be used`
})

/** Words for a state in a folder. */
const inFolder: Readonly<Record<Part, Readonly<Record<Reason, Message>>>> = {
  LedgerError: {
    Locked: "another process uses this state; wait for it or name another state directory",
    Corrupted: text`the ledger is damaged; move ledger.db away (the parse cache stays) and run with ${option("claim", "adopt")}, which takes what is stored for the new ledger's (with ${option("rebuild")} too, all documents are stored again)`,
    ReadOnly: "the state directory cannot be written; change its permissions or name another one",
    Full: "the disk of the state directory is full",
    Io: "the state directory cannot be used"
  },
  ParseCacheError: ofCache("parse cache"),
  EmbeddingCacheError: ofCache("embedding cache"),
  AgentJobsError: {
    Locked: "another process uses these agent jobs; wait for it or name another directory",
    Corrupted: "the agent jobs are damaged; delete the directory to begin without jobs",
    ReadOnly: "the agent jobs cannot be written; change the permissions or name another directory",
    Full: "the disk of the agent jobs is full",
    Io: "the agent jobs cannot be used"
  },
  AccountsError: {
    Locked: "another server keeps its credits here; stop it or name another state directory",
    Corrupted:
      "the record of spent credits is damaged; restore it from a backup, or delete it to let every key begin with all its credits",
    ReadOnly: "spent credits cannot be written; change the permissions or name another state directory",
    Full: "the disk of the state directory is full",
    Io: "spent credits cannot be read or written"
  }
}

/** The problem of an error of that tag: its remedy, and what the database said. */
export const problemOf = (part: Part, failed: DatabaseFailure | ServerFailure): ReturnType<typeof problem> => {
  const remedy = failed instanceof ServerFailure ? onServer[failed.reason] : inFolder[part][failed.reason]
  return problem(text`${remedy} (${said(failed.message)})`)
}
