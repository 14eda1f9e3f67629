// @jsxRuntime automatic @jsxImportSource preact
import { assert, describe, it } from "@effect/vitest"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import { render } from "preact-render-to-string"
import type { Found, Hit, HitView, SearchRequest } from "../../src/internal/look/messages.ts"
import { HitList } from "../../src/view/ask/HitList.tsx"
import { HitSheets } from "../../src/view/ask/HitSheets.tsx"
import { around, full } from "../../src/view/ask/passage.ts"
import { Question } from "../../src/view/ask/question.ts"
import { Calls, type Outcome } from "../../src/view/desk/calls.ts"

const hit = (id: string, more: Partial<Hit> = {}): Hit => ({
  id,
  chunk: {
    id: ChunkId.make(`chunk ${id}`),
    documentId: DocumentId.make("docs/a.pdf"),
    source: "a.pdf",
    index: 0,
    start: 0,
    end: 12,
    text: "Clean gauges",
    embedText: "Clean gauges",
    tokens: 2,
    headingPath: [{ depth: 1, text: "Care" }],
    kinds: ["paragraph"],
    notes: [],
    boxes: [
      { page: 2, bbox: [0.1, 0.2, 0.5, 0.3] },
      { page: 3, bbox: [0.1, 0.1, 0.5, 0.15] }
    ],
    blockIds: [],
    pages: [2, 3]
  },
  citation: "a.pdf, p. 2–3",
  score: 0.5,
  relevance: 0.75,
  similarity: null,
  matched: 1,
  highlights: [{ start: 6, end: 12 }],
  verbatim: false,
  pages: [2, 3].map((number) => ({ number, width: 595.28, height: 841.89 })),
  figures: [],
  missing: null,
  ...more
})

const found = (...hits: ReadonlyArray<Hit>): Found => ({
  hits,
  nothing: hits.length > 0 ? null : "Nothing has these words.",
  nearest: null,
  note: null,
  took: 1
})

/** Calls that are answered when the test says so, in any order. */
class Held extends Calls {
  readonly searches: Array<{
    readonly request: SearchRequest
    readonly signal: AbortSignal
    readonly answer: (outcome: Outcome<Found>) => void
  }> = []
  readonly views: Array<{ readonly id: string; readonly answer: (outcome: Outcome<HitView>) => void }> = []

  override search(request: SearchRequest, signal: AbortSignal): Promise<Outcome<Found>> {
    return new Promise((answer) => this.searches.push({ request, signal, answer }))
  }

  override hit(id: string): Promise<Outcome<HitView>> {
    return new Promise((answer) => this.views.push({ id, answer }))
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

/** Until the rest of a chosen hit is over. */
const rested = () => new Promise((resolve) => setTimeout(resolve, 200))

describe("a question", () => {
  it("gives up the one before it, whose answer is not shown when it comes late", async () => {
    const calls = new Held()
    const question = new Question(calls, () => undefined)
    void question.ask("first", 5)
    void question.ask("second", 5)
    const [first, second] = calls.searches
    assert.isTrue(first?.signal.aborted)
    second?.answer({ ok: true, value: found(hit("b")) })
    await settled()
    first?.answer({ ok: true, value: found(hit("a")) })
    await settled()
    const { answer } = question.state
    assert.strictEqual(answer.step === "found" ? answer.found.hits[0]?.id : null, "b")
    question.close()
  })

  it("reads the document of the hit that stays chosen only, and not of one without pictures", async () => {
    const calls = new Held()
    const question = new Question(calls, () => undefined)
    void question.ask("gauges", 5)
    const gone = { reason: "gone", message: "It is gone.", remedy: "Put it back." } as const
    calls.searches[0]?.answer({ ok: true, value: found(hit("a"), hit("b"), hit("c", { missing: gone })) })
    await settled()
    question.choose(1)
    await rested()
    assert.deepStrictEqual(
      calls.views.map(({ id }) => id),
      ["b"]
    )
    calls.views[0]?.answer({ ok: true, value: { pages: [{ number: 2, width: 10, height: 20 }], missing: null } })
    await settled()
    assert.deepStrictEqual(question.state.looked?.pages, [{ number: 2, width: 10, height: 20 }])
    question.choose(2)
    assert.deepInclude(question.state.looked ?? {}, { id: "c", missing: gone, done: true })
    await rested()
    assert.lengthOf(calls.views, 1)
  })

  it("is not asked when it is empty, asks for weak hits on request, and tells that a key is wanted", async () => {
    const calls = new Held()
    let locked = 0
    const question = new Question(calls, () => void (locked += 1))
    await question.ask("  ", 5)
    assert.lengthOf(calls.searches, 0)
    void question.ask("gauges", 5, { weak: true })
    assert.deepStrictEqual(calls.searches[0]?.request, { query: "gauges", limit: 5, minScore: 0 })
    const trouble = { status: 401, tag: "Unauthorized", message: "A key is wanted.", remedy: null }
    calls.searches[0]?.answer({ ok: false, trouble })
    await settled()
    assert.strictEqual(question.state.answer.step, "failed")
    assert.strictEqual(locked, 1)
  })
})

describe("the passage of a hit", () => {
  const text = `${"before ".repeat(100)}the gauge is cleaned ${"after ".repeat(100)}`
  const start = text.indexOf("gauge")
  const passage = { chunk: { text }, highlights: [{ start, end: start + 5 }] }

  it("is whole, with its matches apart", () => {
    const { cutAfter, cutBefore, parts } = full(passage)
    assert.deepStrictEqual([cutBefore, cutAfter], [false, false])
    assert.strictEqual(parts.map((part) => part.text).join(""), text)
    assert.deepStrictEqual(
      parts.filter(({ match }) => match).map((part) => part.text),
      ["gauge"]
    )
  })

  it("is cut around its first match, and inside of no character or word", () => {
    const cut = around(passage, 100)
    assert.deepStrictEqual([cut.cutBefore, cut.cutAfter], [true, true])
    assert.isTrue(cut.parts.some(({ match, text: part }) => match && part === "gauge"))
    assert.match(cut.parts[0]?.text ?? "", /^before/)
    const faces = { chunk: { text: "😀".repeat(500) }, highlights: [] }
    for (const most of [99, 100, 101]) {
      const shown = around(faces, most)
        .parts.map((part) => part.text)
        .join("")
      assert.notMatch(shown, /\p{Cs}/u)
      assert.isAtMost(shown.length, most)
    }
  })

  it("takes highlights as they come: out of the text, over each other, empty", () => {
    const highlights = [
      { start: 0, end: 3 },
      { start: 2, end: 4 },
      { start: 4, end: 4 },
      { start: 5, end: 900 }
    ]
    const { parts } = full({ chunk: { text: "abcdefgh" }, highlights })
    assert.strictEqual(parts.map((part) => part.text).join(""), "abcdefgh")
  })
})

describe("hits on the page", () => {
  const nothing = () => undefined

  it("show rank, citation, headings, scores that there are, and matches; one is reached by Tab", () => {
    const html = render(
      <HitList
        chosen={0}
        hits={[hit("a"), hit("b", { relevance: null, matched: null })]}
        onChoose={nothing}
        onLeave={nothing}
      />
    )
    assert.match(html, /aria-label="Hit 1: a\.pdf, p\. 2–3"/)
    assert.match(html, /<mark>gauges<\/mark>/)
    assert.match(html, /Care/)
    assert.match(html, /75 %/)
    assert.lengthOf(html.match(/relevance/g) ?? [], 1)
    assert.notInclude(html, "similarity")
    assert.lengthOf(html.match(/class="hit-name"[^>]*tabindex="0"/gi) ?? [], 1)
  })

  it("run nothing that is in a document", () => {
    const evil = `<img src=x onerror=alert(1)><script>alert(1)</script>\u202e`
    const own = hit("a")
    const html = render(
      <HitList
        chosen={0}
        hits={[
          { ...own, citation: evil, chunk: { ...own.chunk, text: evil, headingPath: [{ depth: 1, text: evil }] } }
        ]}
        onChoose={nothing}
        onLeave={nothing}
      />
    )
    assert.notMatch(html, /<(?:img|script)/)
    assert.notInclude(html, "\u202e</")
  })

  it("draw their boxes on each page, and say why there is no picture and what helps", () => {
    const own = hit("a")
    const missing = { reason: "changed", message: "a.pdf was changed.", remedy: "Ingest again." } as const
    const html = render(
      <HitSheets
        calls={new Calls()}
        hit={own}
        looked={{ id: own.id, pages: own.pages, missing, done: true }}
        pictured
      />
    )
    assert.match(html, /data-reason="changed".*a\.pdf was changed\..*Ingest again\./s)
    assert.lengthOf(html.match(/<rect[^>]*class="hit-box"/g) ?? [], 2)
    assert.lengthOf(html.match(/data-page="[23]"/g) ?? [], 2)
    assert.notInclude(html, "<img")
    assert.include(html, "Clean <mark>gauges</mark>")
  })

  it("show the passage in place of pages, rendered with its matches marked, or as it stands", () => {
    const own = hit("a")
    const text = "# Care of gauges\n\n**Clean** the `gauges`, they\\_are small.\n\n| gauges | 1 |\n|---|---|\n"
    const highlights = Array.from(text.matchAll(/gauges/gu), ({ 0: word, index }) => ({
      start: index,
      end: index + word.length
    }))
    const missing = { reason: "no-pages", message: "a.md has no pages.", remedy: null } as const
    const shown = (verbatim: boolean) =>
      render(
        <HitSheets
          calls={new Calls()}
          hit={{ ...own, chunk: { ...own.chunk, text }, highlights, verbatim, pages: [] }}
          looked={{ id: own.id, pages: [], missing, done: true }}
          pictured
        />
      )
    const html = shown(false)
    assert.match(html, /<h1[^>]*>Care of <mark>gauges<\/mark><\/h1>/u)
    assert.include(html, "<strong>Clean</strong> the <code><mark>gauges</mark></code>, they_are small.")
    assert.include(html, "<th><mark>gauges</mark></th>")
    assert.notInclude(html, "No picture of the page")
    assert.include(shown(true), "# Care of <mark>gauges</mark>\n\n**Clean** the `<mark>gauges</mark>`")
  })

  it("have a place for the picture of each figure, where the document can be drawn", () => {
    const own = hit("a", { figures: [1] })
    const drawn = (missing: HitView["missing"], pictured = true) =>
      render(
        <HitSheets
          calls={new Calls()}
          hit={own}
          looked={{ id: own.id, pages: own.pages, missing, done: true }}
          pictured={pictured}
        />
      )
    assert.match(drawn(null), /<figure class="fetched"[^>]*>.*Figure on page 3/s)
    assert.notInclude(drawn(null, false), "fetched")
    assert.notInclude(drawn({ reason: "gone", message: "a.pdf is gone.", remedy: null }), "fetched")
  })
})
