import * as Source from "docsluice/Source"
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { Effect, Option, Stream } from "effect"
import { name, type Plant, StoreError } from "./honest.ts"

type Objects = SourceConformance.Page["objects"]

/** A mistake that an author of a source makes. */
export interface Defect {
  readonly name: string
  /** Part of the name of a case that must find it. */
  readonly caughtBy: string
  readonly plant: Plant
}

const whole = "finds every file once"
const names = "keeps names apart"
const large = "gives a large file in parts"
const steps = "sees at each run"
const sameSize = "replaced by one of its size"
const stamps = "whatever their time stamps are"
const emptied = "that was emptied and is filled again"
const whileRunning = "while it runs"
const breaks = "a listing that breaks off"
const refused = "of which a page is refused"
const blank = "a page without a body"
const twoPages = "that two pages hold"
const loops = "lead back to an earlier one"
const changing = "changes between two pages"
const ahead = "asks for a page when it is wanted"
const oneFile = "loses no other file"
const readBreaks = "gives all bytes or fails"
const joined = "never joins the bytes of two versions when"
const unversioned = "that a store without versions has"
const chance = "by chance"
const bounded = "a bounded number of requests"

/** Ends a listing where a page is not to be had, instead of failing. */
const endingAt =
  (isEnd: (error: StoreError) => boolean): Plant =>
  ({ pages }) => ({
    pages: (page) =>
      pages((from) => Effect.catchIf(page(from), isEnd, () => Effect.succeed({ objects: [], next: null })))
  })

export const defects: ReadonlyArray<Defect> = [
  {
    name: "reads the first page only",
    caughtBy: whole,
    plant: ({ pages }) => ({
      pages: (page) => pages((from) => Effect.map(page(from), (all) => ({ ...all, next: null })))
    })
  },
  {
    name: "is marked as a part",
    caughtBy: whole,
    plant: () => ({ source: (files) => Source.part(Source.make({ name, files }), (all) => all) })
  },
  {
    name: "tells the time of the listing as the version",
    caughtBy: whole,
    plant: () => {
      let turn = 0
      return { fingerprint: () => ({ _tag: "Etag", value: String((turn += 1)) }) }
    }
  },
  {
    name: "reads each file while it lists, to know its size",
    caughtBy: whole,
    plant: ({ bytes, wanted }) => ({
      wanted: (objects) => Stream.tap(wanted(objects), (object) => Stream.runDrain(bytes(object)))
    })
  },
  {
    name: "takes names that differ in case for one",
    caughtBy: names,
    plant: ({ path }) => ({ path: (object) => path(object).toLowerCase() })
  },
  {
    name: "brings names to one normal form",
    caughtBy: names,
    plant: ({ path }) => ({ path: (object) => path(object).normalize("NFC") })
  },
  {
    name: "decodes names that are not encoded",
    caughtBy: names,
    plant: ({ path }) => ({ path: (object) => path(object).replaceAll("%20", " ") })
  },
  {
    name: "names a file without its folder",
    caughtBy: names,
    plant: ({ path }) => ({ path: (object) => path(object).replace(/^.*\//u, "") })
  },
  {
    name: "holds a file as a whole",
    caughtBy: large,
    plant: ({ bytes }) => ({
      bytes: (object) =>
        Stream.fromEffect(
          Effect.map(Stream.runCollect(bytes(object)), (parts) => new Uint8Array(Buffer.concat([...parts])))
        )
    })
  },
  {
    name: "opens a file once",
    caughtBy: large,
    plant: ({ bytes }) => {
      const opened = new Set<number>()
      return {
        bytes: (object) => {
          if (opened.has(object.version)) return Stream.empty
          opened.add(object.version)
          return bytes(object)
        }
      }
    }
  },
  {
    name: "lists once, and gives the same objects for ever",
    caughtBy: steps,
    plant: ({ pages }) => {
      let kept: ReturnType<typeof pages> | undefined
      return {
        pages: (page) =>
          Stream.suspend(() => {
            const known = kept
            if (known !== undefined) return known
            return Stream.unwrap(
              Effect.map(Stream.runCollect(pages(page)), (all) => {
                kept = Stream.fromChunk(all)
                return kept
              })
            )
          })
      }
    }
  },
  {
    name: "takes the size for the version",
    caughtBy: sameSize,
    plant: () => ({ fingerprint: ({ bytes }) => ({ _tag: "Etag", value: String(bytes.length) }) })
  },
  {
    name: "takes date and size for the version",
    caughtBy: sameSize,
    plant: () => ({ fingerprint: ({ bytes, modified }) => ({ _tag: "Etag", value: `${modified} ${bytes.length}` }) })
  },
  {
    name: "lists only what was modified since its last run",
    caughtBy: stamps,
    plant: ({ wanted }, store) => {
      let last = -Infinity
      return {
        wanted: (objects) =>
          Stream.suspend(() => {
            const since = last
            for (const { modified } of store.objects) last = Math.max(last, modified)
            return Stream.filter(wanted(objects), ({ modified }) => modified > since)
          })
      }
    }
  },
  {
    name: "leaves out what has a date of the future",
    caughtBy: stamps,
    plant: ({ wanted }) => ({
      wanted: (objects) => Stream.filter(wanted(objects), ({ modified }) => modified < Date.UTC(2030, 0, 1))
    })
  },
  {
    name: "keeps bytes by path",
    caughtBy: whileRunning,
    plant: ({ bytes }, store) => {
      const kept = new Map<string, ReadonlyArray<Uint8Array>>()
      return {
        bytes: (object) => {
          const known = kept.get(object.path)
          if (known !== undefined) return Stream.fromIterable(known)
          return Stream.onDone(bytes(object), () =>
            Effect.sync(() => kept.set(object.path, [store.get(object.path)?.bytes ?? new Uint8Array()]))
          )
        }
      }
    }
  },
  {
    name: "takes a listing that breaks off for its end",
    caughtBy: breaks,
    plant: endingAt(({ status }) => status === null)
  },
  {
    name: "takes a page that is not found for the end",
    caughtBy: refused,
    plant: endingAt(({ status }) => status === 404)
  },
  { name: "takes an expired token for the end", caughtBy: refused, plant: endingAt(({ status }) => status === 410) },
  {
    name: "takes the end of a session for the end of the listing",
    caughtBy: refused,
    plant: endingAt(({ status }) => status === 401)
  },
  {
    name: "takes an empty answer for an empty page",
    caughtBy: blank,
    plant: ({ pages }, store) => ({
      pages: (page) =>
        pages((from) =>
          Effect.catchIf(
            page(from),
            ({ status }) => status === null && store.fault({ kind: "list", from })?._tag === "Blank",
            () => Effect.succeed({ objects: [], next: null })
          )
        )
    })
  },
  { name: "gives what two pages hold twice", caughtBy: twoPages, plant: () => ({ wanted: (objects) => objects }) },
  {
    name: "follows a listing round and round",
    caughtBy: loops,
    plant: () => ({
      pages: (page) =>
        Stream.flattenIterables(
          Stream.paginateEffect<string | null, Objects, StoreError, never>(null, (from) =>
            Effect.map(page(from), ({ next, objects }) => [objects, Option.fromNullable(next)] as const)
          )
        )
    })
  },
  {
    name: "counts objects instead of naming the place of a page",
    caughtBy: changing,
    plant: ({ value }, store) => ({
      pages: () =>
        Stream.flattenIterables(
          Stream.paginateEffect<number, Objects, StoreError, never>(0, (start) =>
            Effect.map(
              value(() => store.list(start === 0 ? null : encodeURIComponent(store.objects[start - 1]?.path ?? "~"))),
              ({ next, objects }) =>
                [objects, next === null ? Option.none() : Option.some(start + objects.length)] as const
            )
          )
        )
    })
  },
  {
    name: "collects the whole listing before the first file",
    caughtBy: ahead,
    plant: ({ pages }) => ({
      pages: (page) => Stream.unwrap(Effect.map(Stream.runCollect(pages(page)), (all) => Stream.fromChunk(all)))
    })
  },
  {
    name: "ends the run for one file",
    caughtBy: oneFile,
    plant: ({ bytes }) => ({ bytes: (object) => Stream.orDie(bytes(object)) })
  },
  {
    name: "takes a file that may not be read for an empty one",
    caughtBy: oneFile,
    plant: ({ bytes }) => ({
      bytes: (object) => Stream.catchAll(bytes(object), () => Stream.make(new Uint8Array(object.bytes.length)))
    })
  },
  {
    name: "takes bytes that break off for all",
    caughtBy: readBreaks,
    plant: (_, store) => ({
      size: () => 1,
      bytes: ({ path }) =>
        Stream.suspend(() => {
          const answer = store.read(path)
          return answer._tag === "Given"
            ? Stream.make(answer.value.bytes.subarray(0, answer.value.bytes.length * answer.share))
            : Stream.fail(new StoreError({ status: null, message: "refused" }))
        })
    })
  },
  {
    name: "goes on with a read of whatever version is there",
    caughtBy: joined,
    plant: (_, store) => ({
      bytes: ({ path }) => resumed(store, path)
    })
  },
  {
    name: "goes on with a read of a store without versions",
    caughtBy: unversioned,
    plant: ({ bytes }, store) => ({
      bytes: (object) => (store.versioned ? bytes(object) : resumed(store, object.path))
    })
  },
  {
    name: "takes a throttled page for the end",
    caughtBy: chance,
    plant: (parts, store) => ({
      ...endingAt(({ status }) => status === 429 || status === 503)(parts, store),
      attempted: (once) => once
    })
  },
  {
    name: "gives a store up for good that was empty once",
    caughtBy: emptied,
    plant: ({ pages }, store) => {
      let empty = false
      return {
        pages: (page) =>
          Stream.suspend(() => {
            empty ||= store.past("0/file 0.md").length > 0 && store.objects.length === 0
            return empty ? Stream.fail(new StoreError({ status: null, message: "empty" })) : pages(page)
          })
      }
    }
  },
  {
    name: "tries again for ever",
    caughtBy: bounded,
    plant: () => ({ attempted: (once) => Effect.retry(once, { while: () => true }) })
  }
]

/** Bytes of two answers, the second from where the first broke off. */
const resumed = (store: SourceConformance.Store, path: string): Stream.Stream<Uint8Array, StoreError> =>
  Stream.suspend(() => {
    const parts: Array<Uint8Array> = []
    for (let attempt = 0; attempt < 3; attempt++) {
      const start = parts.reduce((sum, { length }) => sum + length, 0)
      const answer = store.read(path, { start })
      if (answer._tag !== "Given") break
      const { bytes } = answer.value
      parts.push(bytes.slice(0, Math.floor(bytes.length * answer.share)))
      if (answer.share === 1) return Stream.fromIterable(parts)
    }
    return Stream.fail(new StoreError({ status: null, message: "refused" }))
  })
