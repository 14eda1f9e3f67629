/** Agent jobs as text: results, states and events. */
import { isRecord } from "../internal/base/rules.ts"
import type { AgentEvent } from "../internal/client/agentEvent.ts"
import type { Job } from "../internal/client/agentJob.ts"

/** A record of JSON, with the id of its job. */
export const withId = (id: string, record: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ id, ...record })

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2))

const cited = (citation: unknown): string => {
  if (!isRecord(citation)) return JSON.stringify(citation)
  const { document, pages, quote } = citation
  const places = Array.isArray(pages) && pages.length > 0 ? `, page ${pages.join(", ")}` : ""
  return `  ${String(document)}${places}: ${JSON.stringify(quote)}`
}

/** The result of a job: an answer with its citations, or the data as JSON. */
export const result = (data: unknown): string => {
  if (!isRecord(data) || !Array.isArray(data["citations"]) || !("answer" in data)) return textOf(data ?? null)
  const { answer, citations } = data
  return [answer === null ? "the documents do not say" : textOf(answer), ...citations.map(cited)].join("\n")
}

/** The state of a job in one line. */
export const state = ({ creditsUsed, error, expiresAt, jobId, rawStatus }: Job): string =>
  [
    `agent job ${jobId}: ${rawStatus}`,
    ...(error === undefined ? [] : [error]),
    ...(creditsUsed === undefined ? [] : [`${creditsUsed} credits`]),
    ...(expiresAt === undefined ? [] : [`kept until ${expiresAt}`])
  ].join(", ")

const short = (value: unknown): string => {
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).replaceAll(/\s+/gu, " ")
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}

const detail = (event: AgentEvent): string => {
  switch (event.type) {
    case "progress.reported":
      return event.message ?? ""
    case "reasoning.summary":
      return event.text ?? ""
    case "tool_call.started":
      return `${event.toolName ?? ""} ${short(event.record["parameters"])}`
    case "tool_call.finished":
      return event.toolName ?? ""
    case "artifact.updated":
      return `${event.artifactId ?? event.kind ?? ""} snapshot ${event.snapshotId ?? ""}`
    case "run.cancel_requested":
      return event.reason ?? ""
    case "agent.finished":
    case "run.finished":
      return [event.rawOutcome ?? "", event.error?.message ?? ""].join(" ")
    case "error.occurred":
      return `${event.error?.rawCode ?? ""} ${event.error?.message ?? ""}`
    default:
      return ""
  }
}

/** An event in one line: time, agent, type and what it tells. */
export const event = (event: AgentEvent): string => {
  const time = event.occurredAt?.replace(/^.*T|\.\d+Z?$|Z$/gu, "") ?? ""
  return [time, event.agent?.name ?? "", event.rawType || event.type, short(detail(event).trim())]
    .filter((part) => part !== "")
    .join(" ")
}
