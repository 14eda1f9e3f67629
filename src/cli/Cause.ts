/** Causes of failures by the tag of their error: what happened, and what helps. */
import type { Summary } from "../Outcome.ts"

export interface Cause {
  /** In a few words, after a count: `3 too large for the service`. */
  readonly what: string
  /** What a person can do. */
  readonly remedy: string
}

const later = "it may pass by itself: send them again"

const causes: Readonly<Record<string, Cause>> = {
  FileUnreadable: {
    what: "cannot be read",
    remedy: "check that the files are there, are not empty, and may be read by this user"
  },
  FileChanged: { what: "changed while they were read", remedy: "send them again once nothing writes to them" },
  FileTooLarge: {
    what: "too large for the service",
    remedy: "split them, or leave them out with --ignore"
  },
  UnsupportedFile: {
    what: "of types that are not read",
    remedy: "convert them, or leave them out with --ignore"
  },
  TextUnreadable: {
    what: "cannot be read as text",
    remedy:
      "open one to see if it is what its name says; leave it out with --ignore, or redactPII out of --parse-options"
  },
  DocumentUnparsable: {
    what: "cannot be parsed",
    remedy: "open one to see if it is damaged, encrypted or not what its name says; mend it and ingest again"
  },
  ChunkingError: {
    what: "cannot be split into chunks",
    remedy: "try another --chunker, or a greater --max-tokens"
  },
  SinkError: {
    what: "refused by a store",
    remedy: "see that the store can be reached and has room; then send them again, from the cache"
  },
  EmbeddingError: {
    what: "without vectors",
    remedy: "check the embedder's address, its key and its limits; then send them again, from the cache"
  },
  BadRequest: { what: "refused as bad requests", remedy: "check --parse-options against the service's interface" },
  UnprocessableEntity: { what: "not understood by the service", remedy: "look at one with docsluice parse" },
  PayloadTooLarge: { what: "too large for the service", remedy: "split them, or leave them out with --ignore" },
  PromptInjectionDetected: {
    what: "refused for text that gives orders to a model",
    remedy: "read them; leave them out with --ignore unless you trust them"
  },
  RequestTimeout: { what: "not parsed in time", remedy: 'allow more time: --parse-options {"timeout":300000}' },
  RateLimitExceeded: { what: "refused for the rate of requests", remedy: later },
  ConcurrencyLimitReached: { what: "refused for requests at a time", remedy: later },
  InternalServerError: { what: "lost to an error of the service", remedy: later },
  BadGateway: { what: "lost between here and the service", remedy: later },
  ServiceUnavailable: { what: "sent while the service was busy", remedy: later },
  GatewayTimeout: { what: "not answered in time", remedy: later },
  ConnectionFailed: { what: "not answered", remedy: "check the address of the service; then send them again" },
  UnexpectedResponse: { what: "answered with something else", remedy: "check that --service names a parsing service" },
  Defect: {
    what: "lost to a fault of docsluice",
    remedy: "please report it, with the message below"
  }
}

/** The cause of a tag; another tag is told by its name. */
export const of = (tag: string, retryable: boolean): Cause =>
  causes[Object.hasOwn(causes, tag) ? tag : ""] ?? {
    what: `failed with ${tag}`,
    remedy: retryable ? later : "see the message; sending the same file again does not help"
  }

export interface Group<A> {
  readonly tag: string
  readonly retryable: boolean
  readonly cause: Cause
  /** At least one. */
  readonly members: ReadonlyArray<A>
}

/** Failures by tag, the most frequent first. */
export const groups = <A extends Pick<Summary["failures"][number], "tag" | "retryable">>(
  failures: ReadonlyArray<A>
): ReadonlyArray<Group<A>> => {
  const byTag = new Map<string, Array<A>>()
  for (const failure of failures) {
    const known = byTag.get(failure.tag)
    if (known === undefined) byTag.set(failure.tag, [failure])
    else known.push(failure)
  }
  return [...byTag]
    .map(([tag, members]) => {
      const retryable = members.some((member) => member.retryable)
      return { tag, retryable, cause: of(tag, retryable), members }
    })
    .toSorted((left, right) => right.members.length - left.members.length)
}
