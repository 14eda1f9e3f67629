import { assert, describe, it } from "@effect/vitest"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { Either, FastCheck, Schema } from "effect"

const issuesOf = (input: unknown): ReadonlyArray<readonly [string, string]> =>
  Either.match(ParseOptions.decode(input), {
    onLeft: (error) => error.issues.map((issue) => [issue.field, issue.bound] as const),
    onRight: () => []
  })

const rejections: ReadonlyArray<readonly [unknown, string, string]> = [
  [{ formats: {} }, "formats", "an array of formats"],
  [{ formats: ["screenshot"] }, "formats[0].type", "one of markdown, summary, html, rawHtml, links, images, json"],
  [{ formats: [{}] }, "formats[0].type", "a format with type"],
  [{ formats: [7] }, "formats[0]", "a format"],
  [{ formats: [{ type: "markdown", prompt: "x" }] }, "formats[0].prompt", "one of type"],
  [{ formats: [{ type: "json", schema: [] }] }, "formats[0].schema", "an object"],
  [{ formats: [{ type: "json", prompt: 1 }] }, "formats[0].prompt", "a string"],
  [{ formats: [{ type: "json", mode: 1 }] }, "formats[0].mode", "one of type, schema, prompt, checkPromptInjection"],
  [{ onlyMainContent: "yes" }, "onlyMainContent", "true or false"],
  [{ includeTags: "h1" }, "includeTags", "an array of strings"],
  [{ includeTags: ["h1", 2] }, "includeTags[1]", "a string"],
  [{ excludeTags: [null] }, "excludeTags[0]", "a string"],
  [{ headers: ["a"] }, "headers", "an object of strings"],
  [{ headers: { a: 1 } }, "headers.a", "a string"],
  [{ timeout: 0 }, "timeout", "an integer from 1 to 300000"],
  [{ timeout: 300_001 }, "timeout", "an integer from 1 to 300000"],
  [{ timeout: 1.5 }, "timeout", "an integer from 1 to 300000"],
  [{ timeout: "30000" }, "timeout", "an integer from 1 to 300000"],
  [{ timeout: null }, "timeout", "an integer from 1 to 300000"],
  [{ parsers: "pdf" }, "parsers", "an array of parsers"],
  [{ parsers: ["docx"] }, "parsers[0].type", '"pdf"'],
  [{ parsers: [{ mode: "fast" }] }, "parsers[0].type", "a parser with type"],
  [{ parsers: [{ type: "pdf", mode: "slow" }] }, "parsers[0].mode", "one of fast, auto, ocr"],
  [{ parsers: [{ type: "pdf", maxPages: 0 }] }, "parsers[0].maxPages", "an integer from 1 to 10000"],
  [{ parsers: [{ type: "pdf", maxPages: 10_001 }] }, "parsers[0].maxPages", "an integer from 1 to 10000"],
  [{ parsers: [{ type: "pdf", pages: 1 }] }, "parsers[0].pages", "true or false"],
  [{ parsers: [{ type: "pdf", blocks: 1 }] }, "parsers[0].blocks", "true or false"],
  [{ parsers: [{ type: "pdf", pageMarkers: 1 }] }, "parsers[0].pageMarkers", "true or false"],
  [{ parsers: [{ type: "pdf", dpi: 1 }] }, "parsers[0].dpi", "one of type, mode, maxPages, pages, blocks, pageMarkers"],
  [{ skipTlsVerification: 1 }, "skipTlsVerification", "true or false"],
  [{ removeBase64Images: 1 }, "removeBase64Images", "true or false"],
  [{ blockAds: 1 }, "blockAds", "true or false"],
  [{ redactPII: "yes" }, "redactPII", "true, false or an object"],
  [{ redactPII: { mode: "exact" } }, "redactPII.mode", "one of accurate, aggressive, fast"],
  [{ redactPII: { entities: "EMAIL" } }, "redactPII.entities", "an array of entities"],
  [
    { redactPII: { entities: ["EMAIL", "AGE"] } },
    "redactPII.entities[1]",
    "one of PERSON, EMAIL, PHONE, LOCATION, FINANCIAL, SECRET"
  ],
  [{ redactPII: { replaceStyle: "blur" } }, "redactPII.replaceStyle", "one of tag, mask, remove"],
  [{ redactPII: { style: "tag" } }, "redactPII.style", "one of mode, entities, replaceStyle"],
  [{ proxy: "stealth" }, "proxy", "one of basic, auto"],
  [{ origin: 1 }, "origin", "a string"],
  [{ integration: 1 }, "integration", "a string or null"],
  [{ auditMetadata: {} }, "auditMetadata.username", "an object with username"],
  [{ auditMetadata: { username: "x".repeat(1025) } }, "auditMetadata.username", "a string of at most 1024 characters"],
  [
    { auditMetadata: { username: "\u{1F600}".repeat(1025) } },
    "auditMetadata.username",
    "a string of at most 1024 characters"
  ],
  [{ auditMetadata: { username: "x", team: "y" } }, "auditMetadata.team", "one of username"],
  [{ zeroDataRetention: 0 }, "zeroDataRetention", "true or false"],
  [[], "", "an object"],
  ["{}", "", "an object"],
  [null, "", "an object"]
]

const canonicalOf = (options: ParseOptions.ParseOptions) => ParseOptions.canonical(options)

describe("ParseOptions", () => {
  it.each(rejections)("refuses %j and names %s and its bound", (input, field, bound) => {
    assert.deepStrictEqual(issuesOf(input), [[field, bound]])
  })

  it("names field, value and bound of everything that is wrong, in one line", () => {
    const result = Either.flip(ParseOptions.decode({ timeout: 400_000, parsers: [{ type: "pdf", maxPages: -1 }] }))
    assert.isTrue(Either.isRight(result))
    assert.strictEqual(
      Either.getOrThrow(result).message,
      "timeout is 400000; expected an integer from 1 to 300000; parsers[0].maxPages is -1; expected an integer from 1 to 10000"
    )
  })

  it("shows long values in short, and header values never", () => {
    const { issues, message } = Either.getOrThrow(
      Either.flip(ParseOptions.decode({ headers: { cookie: ["secret"] }, origin: 5, proxy: "x".repeat(5000) }))
    )
    assert.notInclude(JSON.stringify(issues.filter((issue) => issue.field.startsWith("headers"))), "secret")
    assert.isBelow(message.length, 400)
    assert.notInclude(message, "\n")
  })

  it("takes the bounds themselves", () => {
    for (const options of [
      { timeout: 1 },
      { timeout: 300_000 },
      { parsers: [{ type: "pdf", maxPages: 1 }] },
      { parsers: [{ type: "pdf", maxPages: 10_000 }] },
      { auditMetadata: { username: "x".repeat(1024) } },
      { auditMetadata: { username: "\u{1F600}".repeat(1024) } },
      { auditMetadata: { username: "" } },
      { integration: null },
      { redactPII: {} },
      { formats: [] },
      {}
    ]) {
      assert.deepStrictEqual(issuesOf(options), [])
    }
  })

  it("takes formats and parsers as plain strings", () => {
    assert.deepStrictEqual(
      ParseOptions.decode({ formats: ["markdown", { type: "links" }, "json"], parsers: ["pdf"] }),
      Either.right({
        formats: [{ type: "markdown" }, { type: "links" }, { type: "json" }],
        parsers: [{ type: "pdf" }]
      })
    )
  })

  it("refuses a member named __proto__ instead of following it", () => {
    const input = Schema.decodeUnknownSync(Schema.parseJson())(
      '{"__proto__":{"timeout":5},"headers":{"__proto__":"x"}}'
    )
    assert.deepStrictEqual(
      issuesOf(input).map(([field]) => field),
      ["__proto__"]
    )
  })

  it.prop("takes everything that its schema describes, as it is", [ParseOptions.ParseOptions], ([options]) => {
    assert.deepStrictEqual(ParseOptions.decode(options), Either.right(options))
    assert.deepStrictEqual(ParseOptions.validate(options), Either.right(options))
  })

  it.prop(
    "agrees with its schema on every option with one member spoilt",
    [
      ParseOptions.ParseOptions,
      FastCheck.constantFrom(...Object.keys(ParseOptions.ParseOptions.fields)),
      FastCheck.anything()
    ],
    ([options, member, value]) => {
      const spoilt = { ...options, [member]: value }
      const bySchema = Schema.decodeUnknownEither(ParseOptions.ParseOptions, { onExcessProperty: "error" })(spoilt)
      const decoded = ParseOptions.decode(spoilt)
      // plain strings are taken in these two, and only here
      if (member !== "formats" && member !== "parsers") {
        assert.strictEqual(Either.isRight(decoded), Either.isRight(bySchema))
      }
      if (Either.isLeft(decoded)) assert.isAbove(decoded.left.issues.length, 0)
    }
  )

  it("merges member by member, the PDF parser's members too", () => {
    const defaults: ParseOptions.ParseOptions = {
      formats: [{ type: "markdown" }],
      timeout: 1000,
      parsers: [{ type: "pdf", pages: true, blocks: true }]
    }
    assert.deepStrictEqual(
      ParseOptions.merge(defaults, { timeout: 2000, parsers: [{ type: "pdf", blocks: false, maxPages: 3 }] }),
      {
        formats: [{ type: "markdown" }],
        timeout: 2000,
        parsers: [{ type: "pdf", pages: true, blocks: false, maxPages: 3 }]
      }
    )
    assert.deepStrictEqual(ParseOptions.merge(defaults, { timeout: undefined, parsers: [] }), defaults)
    assert.deepStrictEqual(ParseOptions.merge({}, { origin: "x" }), { origin: "x" })
  })

  it.prop("merging over nothing, or nothing over it, changes no answer", [ParseOptions.ParseOptions], ([options]) => {
    assert.strictEqual(canonicalOf(ParseOptions.merge({}, options)), canonicalOf(options))
    assert.strictEqual(canonicalOf(ParseOptions.merge(options, {})), canonicalOf(options))
  })

  it("has the same canonical text for options that mean the same", () => {
    const same: ReadonlyArray<readonly [ParseOptions.ParseOptions, ParseOptions.ParseOptions]> = [
      [{}, { formats: [{ type: "markdown" }], onlyMainContent: true, parsers: [{ type: "pdf", mode: "auto" }] }],
      [{ redactPII: true }, { redactPII: { mode: "accurate", replaceStyle: "tag" } }],
      [{ formats: [{ type: "html" }, { type: "markdown" }] }, { formats: [{ type: "markdown" }, { type: "html" }] }],
      [{ includeTags: ["b", "a"] }, { includeTags: ["a", "b"] }],
      [
        { formats: [{ type: "json", schema: { a: 1, b: 2 } }] },
        { formats: [{ type: "json", schema: { b: 2, a: 1 } }] }
      ],
      [
        {},
        {
          timeout: 5,
          headers: { a: "b" },
          proxy: "auto",
          origin: "x",
          integration: "_x",
          auditMetadata: { username: "u" },
          zeroDataRetention: true
        }
      ]
    ]
    for (const [one, other] of same) assert.strictEqual(canonicalOf(one), canonicalOf(other))
  })

  it("has another canonical text for every option that changes an answer", () => {
    const different: ReadonlyArray<ParseOptions.ParseOptions> = [
      {},
      { formats: [{ type: "html" }] },
      { formats: [{ type: "json", prompt: "a" }] },
      { formats: [{ type: "json", prompt: "b" }] },
      { onlyMainContent: false },
      { includeTags: ["a"] },
      { excludeTags: ["a"] },
      { parsers: [{ type: "pdf", mode: "fast" }] },
      { parsers: [{ type: "pdf", maxPages: 1 }] },
      { parsers: [{ type: "pdf", pages: true }] },
      { parsers: [{ type: "pdf", blocks: true }] },
      { parsers: [{ type: "pdf", pageMarkers: true }] },
      { removeBase64Images: false },
      { blockAds: false },
      { redactPII: true },
      { redactPII: { entities: ["EMAIL"] } },
      { skipTlsVerification: false }
    ]
    assert.strictEqual(new Set(different.map(canonicalOf)).size, different.length)
  })

  it("fills in every default of the interface", () => {
    assert.deepStrictEqual(ParseOptions.resolve({}), {
      formats: [{ type: "markdown" }],
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      headers: {},
      timeout: 30_000,
      skipTlsVerification: true,
      removeBase64Images: true,
      blockAds: true,
      redactPII: false,
      proxy: undefined,
      origin: "api",
      integration: undefined,
      auditMetadata: undefined,
      zeroDataRetention: false,
      pdf: { type: "pdf", mode: "auto", maxPages: undefined, pages: false, blocks: false, pageMarkers: false }
    })
  })
})
