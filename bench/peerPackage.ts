/** Calls into packages that may be installed in `bench/peers`, whose types are therefore not known. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Predicate } from "effect"

const { resolve } = createRequire(new URL("peers/package.json", import.meta.url))

/** The package's exports; undefined where it is not installed. */
export const load = async (name: string): Promise<unknown> => {
  try {
    return await import(pathToFileURL(resolve(name)).href)
  } catch {
    return undefined
  }
}

export const member = (value: unknown, name: string): unknown =>
  Predicate.hasProperty(value, name) ? value[name] : undefined

/** Calls a method; undefined where there is none. */
export const call = (value: unknown, name: string, ...args: ReadonlyArray<unknown>): unknown => {
  const method = member(value, name)
  return typeof method === "function" ? Reflect.apply(method, value, args) : undefined
}

export const construct = (value: unknown, ...args: ReadonlyArray<unknown>): unknown =>
  typeof value === "function" ? Reflect.construct(value, args) : undefined
