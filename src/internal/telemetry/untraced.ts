import * as HttpClient from "@effect/platform/HttpClient"

/**
 * The client without its spans, which would record addresses and headers, and without the trace headers that belong to
 * them.
 */
export const untraced = (http: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.withTracerDisabledWhen(http, () => true)
