import { assert, describe, it } from "@effect/vitest"
import * as ParsedDocument from "docsluice/ParsedDocument"
import { Limits } from "docsluice/service/Client"
import * as ParseOptions from "docsluice/service/ParseOptions"
import * as Server from "docsluice/service/Server"
import * as ServiceError from "docsluice/service/ServiceError"
import { FileType } from "docsluice/SourceFile"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Either, Schema } from "effect"
import * as AgentError from "../../src/internal/client/agentError.ts"
import * as AgentJob from "../../src/internal/client/agentJob.ts"
import * as Api from "../../src/internal/server/api.ts"
import { code, column, numbers, section, table, type Table, tables } from "./interfaceDocument.ts"

const accepts = (options: unknown): boolean => Either.isRight(ParseOptions.decode(options))

const accepting =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (value: unknown): boolean =>
    Either.isRight(Schema.decodeUnknownEither(schema)(value))

/** A value of every type that the document writes, by its own words. */
const samples: Readonly<Record<string, unknown>> = {
  string: "x",
  boolean: true,
  integer: 1,
  number: 0.5,
  null: null,
  strings: ["x"],
  object: {}
}

/** The types that a cell allows, as keys of `samples`; undefined where it says something richer. */
const allowed = (cell: string): ReadonlyArray<string> | undefined => {
  const plain = cell.replace(/ \(URI\)|, milliseconds/, "").replace("array of string", "strings")
  const names = plain.split(/ or |, (?:or )?/)
  return names.every((name) => name in samples) ? names : undefined
}

/** Checks that a member takes exactly the sample types that its row allows. */
const assertTypes = (rows: Table, takes: (member: string, value: unknown) => boolean): void => {
  for (const row of rows) {
    const names = allowed(row["Type"] ?? "")
    for (const member of code(row["Field"])) {
      if (names === undefined) continue
      const wide = names.includes("number") ? [...names, "integer"] : [...names]
      const taken = Object.keys(samples).filter((name) => takes(member, samples[name]))
      assert.sameMembers(taken, wide, member)
    }
  }
}

const documented = (rows: Table) =>
  rows.map((row) => [Number(row["HTTP"]), code(row["`error`"])[0], row["Retryable"]?.split(",")[0]?.toLowerCase()])

const catalogued = (catalogue: Readonly<Record<string, ServiceError.Row>>) =>
  Object.values(catalogue).map((row) => [row.status, row.error, row.retryable])

describe("the interface document", () => {
  it("has all its tables in the fixture", () => {
    const headings = section("")
    assert.include(headings, "Document Parsing Service Interface")
    const rows = [
      ["Parse request", 2],
      ["ParseOptions", 16],
      ["PDF parser object", 6],
      ["RedactPIIOptions", 3],
      ["AuditMetadata", 1],
      ["Parse response body", 10],
      ["`data.metadata`", 13],
      ["Error response record", 4],
      ["States and transitions", 4],
      ["POST /parse", 5],
      ["Agent endpoints", 5],
      ["Events", 3],
      ["General errors", 17],
      ["Agent errors", 10],
      ["Trace error codes", 5],
      ["Limits", 9]
    ] as const
    for (const [heading, count] of rows) assert.lengthOf(table(heading), count, heading)
    assert.deepStrictEqual(
      tables("`data.blocks` page object").map((rows) => rows.length),
      [4, 9]
    )
  })

  it("names the parts of a request and the extensions that FileType knows", () => {
    const parts = table("Parse request")
    assert.deepStrictEqual(column(parts, "Part"), Object.keys(Api.UploadForm.fields))
    const extensions = parts[0]?.["Notes"]?.match(/\.(\w+)/g)?.map((extension) => extension.slice(1))
    assert.deepStrictEqual([...FileType.all].map(String), extensions)
  })

  it("names the parse options, their types and bounds", () => {
    const rows = table("ParseOptions")
    assert.deepStrictEqual(column(rows, "Field"), Object.keys(ParseOptions.ParseOptions.fields))
    assertTypes(rows, (member, value) => accepts({ [member]: value }))
    const row = (name: string) => rows.find((each) => each["Field"] === `\`${name}\``)
    const [max] = numbers(row("timeout")?.["Rules"])
    assert.strictEqual(max, Limits.maxTimeout)
    assert.isTrue(accepts({ timeout: max }))
    assert.isFalse(accepts({ timeout: Limits.maxTimeout + 1 }))
    assert.deepStrictEqual(code(row("proxy")?.["Type"]), [...ParseOptions.Proxy.literals])
  })

  it("names the defaults that resolve fills in", () => {
    const resolved: Readonly<Record<string, unknown>> = { ...ParseOptions.resolve({}) }
    for (const row of table("ParseOptions")) {
      const [field = ""] = code(row["Field"])
      const [quoted] = code(row["Default"])
      const expected = row["Default"] ?? ""
      if (/^(?:true|false|\d+)$/.test(expected)) assert.strictEqual(String(resolved[field]), expected, field)
      else if (expected === "none") assert.isTrue(!resolved[field] || Object.keys(resolved[field]).length === 0, field)
      else if (field === "formats") assert.deepStrictEqual(resolved[field], [{ type: quoted?.slice(1, -1) }])
      else if (field === "parsers")
        assert.deepStrictEqual({ ...ParseOptions.resolve({ parsers: [{ type: "pdf" }] }) }, resolved)
      else assert.strictEqual(resolved[field], quoted, field)
    }
  })

  it("names the formats, and which members json takes", () => {
    const [sentence = "", rest = ""] = section("Formats").split("Only `json`")
    const types = code(sentence.slice(sentence.indexOf("Allowed")))
    assert.deepStrictEqual(types, ["type", ...ParseOptions.PlainFormatType.literals, "json"])
    for (const type of types.slice(1)) {
      assert.isTrue(accepts({ formats: [{ type }] }), type)
      assert.strictEqual(accepts({ formats: [{ type, prompt: "x", schema: {} }] }), type === "json", type)
    }
    // The row of its error names the third member.
    const injection = table("General errors").find((row) => row["`error`"] === "`SCRAPE_PROMPT_INJECTION_DETECTED`")
    const [, checked = ""] = code(injection?.["Cause"])
    assert.deepStrictEqual([...code(rest), checked], Object.keys(ParseOptions.JsonFormat.fields).slice(1))
  })

  it("names the members of the PDF parser, their defaults and bounds", () => {
    const rows = table("PDF parser object")
    const { pdf } = ParseOptions.resolve({})
    assert.deepStrictEqual(column(rows, "Field"), Object.keys(ParseOptions.PdfParser.fields))
    assertTypes(rows, (member, value) => accepts({ parsers: [{ type: "pdf", [member]: value }] }))
    const [, mode, maxPages, ...flags] = rows
    assert.deepStrictEqual(code(mode?.["Type"]), [...ParseOptions.PdfMode.literals])
    assert.deepStrictEqual(code(mode?.["Default"]), [pdf.mode])
    assert.deepStrictEqual(numbers(maxPages?.["Rules"]), [Limits.maxPages.min, Limits.maxPages.max])
    for (const maxPages of [Limits.maxPages.min - 1, Limits.maxPages.max + 1]) {
      assert.isFalse(accepts({ parsers: [{ type: "pdf", maxPages }] }))
    }
    assert.deepStrictEqual(
      flags.map((row) => row["Default"]),
      [pdf.pages, pdf.blocks, pdf.pageMarkers].map(String)
    )
    const [rule, comment = ""] = code(flags[2]?.["Rules"])
    assert.strictEqual(ScriptedEngine.marker(7), `\n\n${rule}\n\n${comment.replace("N", "7")}\n\n`)
  })

  it("names the members of redaction and auditing", () => {
    const rows = table("RedactPIIOptions")
    const fields = ParseOptions.RedactPIIOptions.fields
    assert.deepStrictEqual(column(rows, "Field"), Object.keys(fields))
    assert.deepStrictEqual(
      rows.map((row) => code(row["Type"])),
      [ParseOptions.RedactPIIMode.literals, ParseOptions.PiiEntity.literals, ParseOptions.ReplaceStyle.literals].map(
        (literals) => literals.map(String)
      )
    )
    const [mode, , style] = rows.map((row) => code(row["Default"])[0])
    assert.include(ParseOptions.canonical({ redactPII: true }), `"mode":"${mode}"`)
    assert.include(ParseOptions.canonical({ redactPII: true }), `"replaceStyle":"${style}"`)
    assert.isFalse(accepts({ redactPII: { other: 1 } }))
    const [username] = table("AuditMetadata")
    assert.deepStrictEqual(code(username?.["Field"]), Object.keys(ParseOptions.AuditMetadata.fields))
    assert.deepStrictEqual(numbers(username?.["Rules"]), [Limits.maxUsernameLength])
    assert.isFalse(accepts({ auditMetadata: {} }))
    assert.isFalse(accepts({ auditMetadata: { username: "x", other: 1 } }))
  })

  it("names the members of an answer", () => {
    const rows = table("Parse response body")
    const members = column(rows, "Field")
    const others = code(section("Parse response body").split("also names")[1])
    for (const member of [...members, "rawBase64", "screenshot", "audio", "video", "answer", "highlights", "actions"]) {
      assert.property(ParsedDocument.ParseData.fields, member)
    }
    for (const member of ["changeTracking", "branding", "product", "menu"]) {
      assert.include(others, member)
      assert.property(ParsedDocument.ParseData.fields, member)
    }
    const data = accepting(ParsedDocument.ParseData)
    assertTypes(
      rows.filter((row) => row["Field"] !== "`json` output"),
      (member, value) => data({ metadata: {}, [member]: value })
    )
    const actions = ["screenshots", "scrapes", "javascriptReturns", "pdfs"]
    assert.includeMembers([...others], actions)
    assert.deepStrictEqual(Object.keys(ParsedDocument.Actions.fields), actions)
    const tracking = Object.keys(ParsedDocument.ChangeTracking.fields)
    assert.includeMembers([...others], tracking)
  })

  it("names the members of page objects and blocks, and the block types", () => {
    const [pages = [], blocks = []] = tables("`data.blocks` page object")
    const page = { pageNumber: 1, width: 1, height: 1, status: "ok", items: [] }
    const block = {
      id: "p1.b0",
      type: "text",
      label: null,
      bbox: null,
      content: "",
      markdownSpan: null,
      readingOrder: 0,
      source: null,
      confidence: { layout: null, ocr: null }
    }
    assert.deepStrictEqual(column(pages, "Field"), Object.keys(ParsedDocument.PageBlocks.fields))
    assert.deepStrictEqual(column(blocks, "Field"), Object.keys(ParsedDocument.Block.fields))
    const isPage = accepting(ParsedDocument.PageBlocks)
    const isBlock = accepting(ParsedDocument.Block)
    assertTypes(pages, (member, value) => isPage({ ...page, [member]: value }))
    assertTypes(
      blocks.filter((row) => row["Type"] !== "object"),
      (member, value) => isBlock({ ...block, [member]: value })
    )
    assert.isTrue(isBlock({ ...block, bbox: [0, 0, 1, 1], markdownSpan: [0, 4] }))
    assert.isFalse(isBlock({ ...block, bbox: [0, 0, 1] }))
    assert.isFalse(isBlock({ ...block, bbox: [0, 0, 1, 2] }))
    assert.isFalse(isBlock({ ...block, markdownSpan: [0, 1.5] }))
    assert.isFalse(isBlock({ ...block, confidence: { layout: 2, ocr: null } }))
    assert.deepStrictEqual(code(blocks[1]?.["Notes"]), [...ParsedDocument.blockTypes])
    for (const status of code(pages[2]?.["Notes"])) assert.isTrue(isPage({ ...page, status }))
  })

  it("names the members of metadata", () => {
    const rows = table("`data.metadata`")
    const fields = Object.keys(ParsedDocument.Metadata.fields)
    const members = column(rows, "Field")
    assert.deepStrictEqual(
      members,
      fields.filter((field) => field !== "creditsUsed")
    )
    const isMetadata = accepting(ParsedDocument.Metadata)
    assertTypes(rows, (member, value) => isMetadata({ [member]: value }))
    assert.isTrue(isMetadata({ anything: "x", else: ["x"] }))
  })

  it("names the members of an error body", () => {
    const rows = table("Error response record")
    assert.deepStrictEqual(column(rows, "Field"), Object.keys(Api.ErrorBody.fields))
  })

  it("catalogues the general and the agent errors, row by row", () => {
    assert.deepStrictEqual(catalogued(ServiceError.catalogue), documented(table("General errors")))
    assert.deepStrictEqual(catalogued(AgentError.catalogue), documented(table("Agent errors")))
  })

  it("gives every row of the agent catalogue its class, by status and text", () => {
    for (const [tag, row] of Object.entries(AgentError.catalogue)) {
      const found = AgentError.fromAnswer({ status: row.status, error: `${row.error.toUpperCase()} and more` })
      assert.strictEqual(found?._tag, tag)
      assert.strictEqual(found?.message, `${row.error.toUpperCase()} and more`)
      assert.isUndefined(AgentError.fromAnswer({ status: 418, error: row.error }))
    }
  })

  it("names the trace codes and events, and the states of a job", () => {
    const rows = table("Trace error codes")
    assert.deepStrictEqual(
      Object.entries(AgentError.traceCodes),
      rows.map((row) => [code(row["`code`"])[0], row["Meaning"]])
    )
    assert.deepStrictEqual([...AgentError.TraceCode.literals], Object.keys(AgentError.traceCodes))
    const events = column(table("Events"), "Event")
    assert.deepStrictEqual(AgentJob.eventTypes.slice(0, events.length), events)
    const states = table("States and transitions")
    assert.isTrue(AgentJob.isTerminal(code(states[0]?.["Next state"])[0] ?? ""))
    assert.isTrue(AgentJob.isTerminal(code(states[1]?.["Next state"])[0] ?? ""))
    const stop = code(states[0]?.["Also"]).find((text) => text.startsWith("outcome: "))
    assert.include(AgentJob.outcomes, stop?.replace("outcome: ", ""))
    const conflicts = states.slice(2).map((row) => code(row["Also"])[0])
    const { AgentAlreadyCancelled, AgentAlreadyFinished } = AgentError.catalogue
    assert.deepStrictEqual(conflicts, [AgentAlreadyFinished.error, AgentAlreadyCancelled.error])
  })

  it("names the members of an agent request and record", () => {
    const [submit, status] = table("Agent endpoints")
    assert.includeMembers(Object.keys(AgentJob.AgentRequest.fields), code(submit?.["Shape"]).slice(1))
    assert.includeMembers(
      Object.keys(AgentJob.AgentJob.fields),
      code(status?.["Shape"]).filter((member) => member !== "jobId")
    )
  })

  it("names statuses of the parse operation that the OpenAPI document describes", () => {
    const statuses = table("POST /parse").map((row) => row["Status"] ?? "")
    const described = Object.keys(Server.openApiDocument.paths["/v2/parse"]?.post?.responses ?? {})
    assert.includeMembers(described, statuses)
    assert.includeMembers(
      described,
      Object.values(ServiceError.catalogue).map((row) => String(row.status))
    )
  })

  it("names the limits", () => {
    const values = Object.fromEntries(table("Limits").map((row) => [row["Limit"], row["Value"] ?? ""]))
    const [megabytes = 0] = numbers(values["Uploaded file size"])
    assert.strictEqual(Limits.uploadBytes, megabytes * 1_048_576)
    assert.strictEqual(Limits.maxUploadBytes, Limits.uploadBytes - 1)
    assert.deepStrictEqual(numbers(values["`timeout`"]), [Limits.defaultTimeout, Limits.maxTimeout])
    assert.deepStrictEqual(numbers(values["PDF `maxPages`"]), [Limits.maxPages.min, Limits.maxPages.max])
    assert.deepStrictEqual(numbers(values["`auditMetadata.username`"]), [Limits.maxUsernameLength])
    assert.strictEqual(values["Screenshot lifetime"], Limits.screenshotLifetime)
    assert.strictEqual(values["Signed URL lifetime"], Limits.signedUrlLifetime)
    assert.strictEqual(ParseOptions.resolve({}).timeout, Limits.defaultTimeout)
  })
})
