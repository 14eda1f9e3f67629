/** What every error means and what helps against it, by its tag: the one place for these words. */
import { command, type Message, option, text } from "./message.ts"

export interface Remedy {
  /** Event in a few words. Of an error that a document can fail with: as it follows a count of documents, `3 too large for the service`. */
  readonly what: string
  /** What a person can do, in one sentence without a full stop. */
  readonly remedy: Message
  /** What a visitor of the server's page can do, where it is something else. */
  readonly page?: Message
  /** The same where it depends on the error's `reason`. */
  readonly pageByReason?: Readonly<Record<string, Message>>
}

const later = "it may pass by itself: send them again"

const smaller: Remedy = {
  what: "too large for the service",
  remedy: text`split them, or leave them out with ${option("ignore")}`,
  page: "split the file, or drop a smaller one"
}

const searchable = "start with a store that can be searched, such as libsql:FILE"

const moment = "wait a moment, then try again"

const ids = "take the id from the answer to the submission, whole and unchanged"

const gone = "submit the task again; jobs are kept for 24 hours"

/** Errors that a document of a run can fail with. */
export const ofDocuments = {
  FileUnreadable: {
    what: "cannot be read",
    remedy: "check that the files are there, are not empty, and may be read by this user"
  },
  FileChanged: { what: "changed while they were read", remedy: "send them again once nothing writes to them" },
  FileTooLarge: smaller,
  UnsupportedFile: {
    what: "of types that are not read",
    remedy: text`convert them, or leave them out with ${option("ignore")}`,
    page: "convert the file to a type that the server reads, such as PDF or HTML"
  },
  DuplicateDocument: {
    what: "of names that another file of the same source has",
    remedy: "give each file of a source a path of its own, or leave one of the two out"
  },
  TextUnreadable: {
    what: "cannot be read as text",
    remedy: text`open one to see if it is what its name says; leave it out with ${option("ignore")}, or redactPII out of ${option("parseOptions")}`
  },
  DocumentUnparsable: {
    what: "cannot be parsed",
    remedy: "open one to see if it is damaged, encrypted or not what its name says; mend it and ingest again",
    page: "open the file to see if it is damaged, encrypted or not what its name says; save it again and drop it"
  },
  WorkerLost: {
    what: "given up after every worker that took them ended",
    remedy: "look at the workers' logs and memory; then send them again"
  },
  TakenOver: {
    what: "taken over by another process",
    remedy: "the result of that process counts; or send them again"
  },
  DocumentTruncated: {
    what: "parsed in part only",
    remedy: "raise the limit that the message names, such as maxPages, or accept documents in part"
  },
  ChunkingError: {
    what: "cannot be split into chunks",
    remedy: text`try another ${option("chunker")}, or a greater ${option("maxTokens")}`,
    page: text`raise ${option("maxTokens")}, or take another ${option("chunker")}`
  },
  SinkError: {
    what: "refused by a store",
    remedy: "see that the store can be reached and has room; then send them again, from the cache",
    pageByReason: {
      Unavailable: "see that the store runs and that nobody holds its lock; then search again",
      TooLarge: "search with fewer words",
      Rejected: text`see what the store says; ${command("search")} says the same`,
      Mismatch: "start again: the store is another one than it was",
      Unsupported: searchable
    }
  },
  EmbeddingError: {
    what: "without vectors",
    remedy: "check the embedder's address, its key and its limits; then send them again, from the cache",
    page: text`see that the server of the model runs, or start again with ${option("embedder", "none")}`
  },
  BadRequest: {
    what: "refused as bad requests",
    remedy: text`check ${option("parseOptions")} against the service's interface`,
    page: "correct the option or the file that the message names"
  },
  InvalidUrl: {
    what: "refused for the address of the service",
    remedy: text`check the whole ${option("service")} address, with its version, such as https://host/v2`
  },
  Unauthorized: {
    what: "refused for the key",
    remedy: text`check DOCSLUICE_API_KEY, or ${option("apiKey")}: it is missing, wrong, or was withdrawn`,
    page: "type the key of this server"
  },
  PaymentRequired: {
    what: "refused for want of credits",
    remedy: "add credits to the account, or wait until they are renewed; then send them again",
    page: "ask who runs the server for more credits"
  },
  Forbidden: {
    what: "not allowed with this key",
    remedy: "ask who manages the key for the permission that the message names",
    page: "do what the message says, or ask who runs the server"
  },
  PromptInjectionDetected: {
    what: "refused for text that gives orders to a model",
    remedy: text`read them; leave them out with ${option("ignore")} unless you trust them`,
    page: "read the document; it holds text that gives orders to a model"
  },
  NotFound: {
    what: "sent to an address that the service does not have",
    remedy: text`check the ${option("service")} address, with its version, such as https://host/v2`,
    page: "reload the page, and drop the file again"
  },
  RequestTimeout: {
    what: "not parsed in time",
    remedy: text`allow more time: ${option("parseOptions")} {"timeout":300000}`,
    page: "allow more time, or read fewer pages with maxPages"
  },
  Conflict: { what: "refused for the state of the service", remedy: "see the message; then send them again" },
  PayloadTooLarge: smaller,
  UnprocessableEntity: {
    what: "not understood by the service",
    remedy: text`look at one with ${command("parse")}`,
    page: "change the options, or try another file"
  },
  RateLimitExceeded: { what: "refused for the rate of requests", remedy: later, page: moment },
  ConcurrencyLimitReached: { what: "refused for requests at a time", remedy: later, page: moment },
  InternalServerError: {
    what: "lost to an error of the service",
    remedy: later,
    page: "try again; if it stays, look at the log of the server"
  },
  BadGateway: {
    what: "lost between here and the service",
    remedy: later,
    page: "try again; if it stays, see that the service behind this server runs"
  },
  ServiceUnavailable: { what: "sent while the service was busy", remedy: later, page: "try again in a moment" },
  GatewayTimeout: { what: "not answered in time", remedy: later, page: "try again in a moment" },
  ConnectionFailed: { what: "not answered", remedy: "check the address of the service; then send them again" },
  UnexpectedResponse: {
    what: "answered with something else",
    remedy: text`check that ${option("service")} names a parsing service`
  },
  Defect: {
    what: "lost to a fault of docsluice",
    remedy: "please report it, with the message below"
  },
  Foreign: {
    what: "lost to an error of a part of one's own",
    remedy: "see the tag and the message that it stands for"
  }
} as const satisfies Readonly<Record<string, Remedy>>

/** Errors of a whole run, of an option, of a store, and of calls that are not about documents of a run. */
export const ofOthers = {
  RunStopped: {
    what: "not attempted, since the run had stopped",
    remedy: "mend what stopped it, which the message names; the same command goes on from there"
  },
  Interrupted: {
    what: "the run was asked to end",
    remedy: "type the same command again: it goes on where the run ended"
  },
  BudgetSpent: {
    what: "the budget of the run is spent",
    remedy: text`raise ${option("budget.pages")} or ${option("budget.credits")}, or run again for as much again`
  },
  ServiceUnreachable: {
    what: "no request succeeded for as long as an outage may last",
    remedy: text`wait until the service answers again, or raise ${option("outageLimit")}; the next run sends the rest`
  },
  FigureError: {
    what: "a figure has no picture, or no description",
    remedy: "put the file back as it was ingested, or ingest it again; one that is no PDF has no pictures",
    page: "read the passage as text"
  },
  ToolError: {
    what: "a tool for agents gave nothing",
    remedy: "do what the last sentence of the message says"
  },
  QueueError: {
    what: "the queue cannot be used, or not for this run",
    remedy:
      "do what the message says: it names an address, a package, a password, another coordinator or a setting that differs"
  },
  LedgerError: {
    what: "the ledger cannot be used",
    remedy:
      "do what the message says: it names another process, a damaged file, a full disk, a name in use, or a server that refuses or does not answer"
  },
  ParseCacheError: {
    what: "the parse cache cannot be used",
    remedy:
      "check that the state can be reached and written and has room; the cache may be deleted, then documents are parsed again"
  },
  EmbeddingCacheError: {
    what: "the cache of vectors cannot be used",
    remedy:
      "check that the state can be reached and written and has room; the cache may be deleted, then texts are embedded again",
    page: text`start again with an ${option("embedder")} that fits the store, or with none`
  },
  RerankError: {
    what: "the hits cannot be reranked",
    remedy: text`check the reranker's address, its key and its limits; ${option("rerank", "none")} searches without it`,
    page: text`see that the server of the reranker runs, or start again with ${option("rerank", "none")}`
  },
  DeadLetterError: {
    what: "the list of failures cannot be read or written",
    remedy: "check that the state can be reached and written and has room"
  },
  FileLockError: {
    what: "a lock cannot be acquired",
    remedy: "wait for the process that the message names, or end it; then try again"
  },
  DiscoveryError: {
    what: "the files cannot be found",
    remedy: "check the root and the patterns: the message names the one that is wrong"
  },
  SourceUnavailable: {
    what: "an object store, a list of addresses or an archive cannot be used",
    remedy: "check the address and the credentials that the message names, or wait until the server answers again"
  },
  WatchError: {
    what: "changes of files cannot be watched",
    remedy: "raise fs.inotify.max_user_watches, watch fewer folders, or run ingest from time to time"
  },
  RemovalError: {
    what: "the document cannot be removed as asked",
    remedy: text`name it as ${command("status")} and search do, with its root, and give every target that holds it`
  },
  QuestionError: {
    what: "a file of questions cannot be read",
    remedy: "correct the line and the field that the message names"
  },
  OptionError: {
    what: "an option cannot be used",
    remedy: "correct the option that the message names",
    page: "correct the option that the message names, here or where the server is started"
  },
  InvalidOptions: { what: "the parse options are not valid", remedy: "correct the fields that the message names" },
  InvalidAddress: {
    what: "the address or the key of a service cannot be used",
    remedy: "give a base address such as https://host/v2, and a key of visible ASCII characters"
  },
  InvalidProxy: {
    what: "the address of the proxy cannot be used",
    remedy: "correct HTTP_PROXY or HTTPS_PROXY, such as http://host:3128"
  },
  InvalidReader: { what: "a reader of one's own is not valid", remedy: "correct the member that the message names" },
  FilterError: {
    what: "the filter cannot be used",
    remedy: "correct the condition that the message points at; some stores support fewer of them"
  },
  SearchError: {
    what: "the search cannot be made as asked",
    remedy: "store documents first, and search with the embedder that they were stored with",
    page: searchable
  },
  AddError: {
    what: "a document could not be added to the corpus",
    remedy: "see its cause, which has a tag of its own; add it again or remove it"
  },
  CorpusClosed: { what: "the corpus was closed before the call", remedy: "open it again" },
  ExtractionError: {
    what: "the extracted data do not conform to the schema",
    remedy:
      "make the members that a document may lack optional, or describe the data in the prompt; the answer is cached"
  },
  ConformanceFailure: {
    what: "a part of one's own breaks its contract",
    remedy: "the message names the law that is broken and the case that breaks it"
  },
  InvalidJobId: { what: "the id is not that of a job", remedy: ids },
  InvalidSnapshotId: { what: "the id is not that of a snapshot", remedy: ids },
  TraceUnavailable: { what: "the job has no trace", remedy: "submit the task again: later jobs have one" },
  SnapshotsUnavailable: { what: "the job has no snapshots", remedy: "submit the task again: later jobs have them" },
  ZeroDataRetentionConflict: {
    what: "agent jobs need data to be retained, and this account retains none",
    remedy: "use a key of an account that may retain data"
  },
  AgentJobNotFound: { what: "no such job", remedy: gone },
  SnapshotNotFound: {
    what: "no such snapshot in this job",
    remedy: "list the job's snapshots and take an id from there"
  },
  AgentAlreadyFinished: { what: "the job has finished", remedy: "read its result: there is nothing left to cancel" },
  AgentAlreadyCancelled: { what: "the job is being cancelled", remedy: "wait for its end" },
  AgentPassthroughFailed: { what: "the service could not submit the job", remedy: "submit it again after a while" },
  AgentRunFailed: {
    what: "the job ended without a result",
    remedy: text`see its code and message; a job that reached its credits needs a greater ${option("maxCredits")}`
  },
  AgentJobMayExist: {
    what: "a job may exist whose id never arrived",
    remedy: "look at the account before submitting again: each submission is billed"
  },
  AgentFollowFailed: {
    what: "the job cannot be watched any more",
    remedy: "ask for it by its id, which the error holds: it may still run"
  },
  AgentRefused: {
    what: "the agent refused the task",
    remedy: "see the reason; word the task so that documents can answer it"
  },
  AgentFailed: {
    what: "the agent could not complete the task",
    remedy: "submit it again if the error says that it may pass"
  },
  AgentJobsError: {
    what: "the jobs cannot be kept",
    remedy: "check that the state folder can be written, has room, and is used by one server"
  },
  AccountsError: {
    what: "the accounts cannot be used",
    remedy: "check that the state folder can be written, has room, and is used by one server"
  },
  AuditLogError: {
    what: "the audit log cannot be written",
    remedy: "check that its folder exists, can be written and has room"
  },
  KeyFileError: { what: "the file of keys cannot be used", remedy: "correct the entry that the message names" }
} as const satisfies Readonly<Record<string, Remedy>>

/**
 * What helps against refusals of the page, which no program meets; null where the message says all. A page opened for a store is started
 * again with other options.
 */
export const ofPage = {
  DocumentGone: "drop the file again",
  DrawingUnavailable: "try again in a moment",
  EmptyFile: "drop a file that has something in it",
  ForeignPage: "open the page at the address of the server itself",
  HitUnknown: "search again",
  InvalidRequest: "reload the page; its script and the server may be of two versions",
  NoPictures: "look at the blocks without the picture: nothing of this document may be retained",
  NoStore: text`start the page with a store: ${command("look --to TARGET")}`,
  NoSuchPage: "ask for a page that the document has",
  NotParsed: "parse the document again",
  PageNotBuilt: "build the page: npm run build",
  PageTooSlow: "try again; a page that stays too slow can only be looked at as text",
  PageUndrawable: "look at the text instead; the page is damaged, or too heavy to be drawn",
  PageUnknown: null,
  FigureUnknown: null,
  QueryRefused: null,
  SearchTimeout: "see that the store runs and nothing else keeps it busy; then search again",
  SpoolFull: "remove documents that you have looked at, or wait until the server removes them",
  StoreMissing: text`fill it with ${command("ingest")}; then search again`,
  UploadBroken: "drop the file again"
} as const satisfies Readonly<Record<string, Message | null>>
