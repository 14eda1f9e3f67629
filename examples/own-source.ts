// A source of one's own: files behind an HTTP list, opened only when their turn comes, known by their ETag.
import { HttpClient, type HttpClientError, HttpClientResponse } from "@effect/platform"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, type ParseResult, Schema, Stream } from "effect"

const Listing = Schema.Array(Schema.Struct({ key: Schema.String, size: Schema.Int, etag: Schema.String }))

/** To be given to `Pipeline.run` as `source`. */
export const bucket = (
  base: string
): Stream.Stream<
  SourceFile.SourceFile,
  HttpClientError.HttpClientError | ParseResult.ParseError,
  HttpClient.HttpClient
> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const listing = yield* Effect.flatMap(client.get(base), HttpClientResponse.schemaBodyJson(Listing))
      return Stream.map(Stream.fromIterable(listing), ({ etag, key, size }) =>
        SourceFile.make({
          root: "bucket",
          path: key,
          size,
          fingerprint: { _tag: "Etag", value: etag },
          open: HttpClientResponse.stream(client.get(`${base}/${encodeURI(key)}`)).pipe(
            // Not with the client's error as cause: it carries the request, with whatever credentials it has.
            Stream.mapError(() => new SourceFile.FileUnreadable({ path: key, reason: "Io" }))
          )
        })
      )
    })
  )
