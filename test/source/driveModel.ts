/** A drive over the model of a store: files and folders by id, what changed since when, and who may sign in. */
import { createHash } from "node:crypto"
import { get } from "node:http"
import type * as SourceConformance from "docsluice/testing/SourceConformance"
import { sent } from "./sent.ts"
import { type Asked, type Reply, utf8 } from "./storeDoubles.ts"

/** A file or a folder as it is now; null for one that is gone. */
export interface Row {
  readonly id: string
  readonly found: {
    readonly name: string
    readonly parent: string
    readonly object: SourceConformance.StoredObject | null
  } | null
}

export interface Rows {
  readonly rows: ReadonlyArray<Row>
  /** Token of the next page. */
  readonly next: string | null
}

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/")

const nameOf = (path: string): string => path.split("/").at(-1) ?? ""

/** The checksum of an object's bytes. */
export const checksum = ({ bytes }: SourceConformance.StoredObject): string =>
  createHash("md5").update(bytes).digest("hex")

const given = <A>(value: A): SourceConformance.Answer<A> => ({ _tag: "Given", value, share: 1 })

/** Ids stay when files and folders are moved with {@link move}. */
export class Drive {
  readonly store: SourceConformance.Store
  /** True for a service that does not know any more what changed since. */
  forgets = false
  /** Requests for what changed since. */
  deltas = 0
  /** Requests for exports by path. */
  readonly exports: Array<string> = []
  /** Ids by path; the top is the empty path. */
  readonly ids = new Map<string, string>([["", "top"]])
  readonly #log: Array<string> = []
  #count = 0

  constructor(store: SourceConformance.Store) {
    this.store = store
    for (const { path } of store.objects) this.#touch(path)
    store.listen((path) => (store.get(path) === undefined ? this.#drop(path) : this.#touch(path)))
  }

  pathOf(id: string): string | undefined {
    return [...this.ids].find(([, one]) => one === id)?.[0]
  }

  /** Adds a folder with those around it. */
  folder(path: string): string {
    const known = this.ids.get(path)
    if (known !== undefined) return known
    this.folder(folderOf(path))
    return this.#add(path, "folder")
  }

  /** Gives a file or a folder another path. */
  move(from: string, to: string): void {
    this.folder(folderOf(to))
    const moved = [...this.ids].filter(([path]) => path === from || path.startsWith(`${from}/`))
    for (const [path, id] of moved) {
      this.ids.delete(path)
      this.ids.set(`${to}${path.slice(from.length)}`, id)
    }
    const told = this.#log.length
    for (const [path] of moved) this.store.move(path, `${to}${path.slice(from.length)}`)
    // Only the one that was moved is told, and not what is below it.
    this.#log.length = told
    const id = this.ids.get(to)
    if (id !== undefined) this.#log.push(id)
  }

  /** Removes a folder with all below it. */
  removeFolder(path: string): void {
    for (const object of this.store.objects) if (object.path.startsWith(`${path}/`)) this.store.remove(object.path)
    for (const one of this.ids.keys()) if (one === path || one.startsWith(`${path}/`)) this.#drop(one)
  }

  /** A page of all that is there; each file comes with its folder. */
  list(token: string | null): SourceConformance.Answer<Rows> {
    const answer = this.store.list(token)
    if (answer._tag !== "Given") return answer
    // The first page has all folders, also empty ones.
    const folders = token === null ? [...this.ids.keys()].filter((path) => this.store.get(path) === undefined) : []
    const paths = [...folders, ...answer.value.objects.flatMap(({ path }) => [folderOf(path), path])]
    const ids = new Set(paths.map((path) => this.ids.get(path) ?? ""))
    return { ...answer, value: { rows: Array.from(ids, (id) => this.#row(id)), next: answer.value.next } }
  }

  /** Number of changes so far. */
  get now(): number {
    return this.#log.length
  }

  /** A page of what changed since; an item may come twice. */
  changes(since: number): SourceConformance.Answer<Rows & { readonly until: number }> {
    this.deltas += 1
    if (this.forgets) return { _tag: "Refused", status: 410 }
    const until = Math.min(since + this.store.pageSize, this.now)
    const rows = this.#log.slice(since, until).map((id) => this.#row(id))
    return given({ rows, next: until < this.now ? String(until) : null, until })
  }

  look(id: string): SourceConformance.Answer<Row> {
    const path = this.pathOf(id)
    if (path === undefined) return { _tag: "Refused", status: 404 }
    if (this.store.get(path) === undefined) return given(this.#row(id))
    const answer = this.store.look(path)
    return answer._tag === "Given" ? { ...answer, value: this.#row(id) } : answer
  }

  read(id: string, start: number): SourceConformance.Answer<SourceConformance.StoredObject> {
    const path = this.pathOf(id)
    return path === undefined ? { _tag: "Refused", status: 404 } : this.store.read(path, { start })
  }

  #row(id: string): Row {
    const path = this.pathOf(id)
    if (path === undefined) return { id, found: null }
    const parent = path === "" ? "" : (this.ids.get(folderOf(path)) ?? "")
    return { id, found: { name: nameOf(path), parent, object: this.store.get(path) ?? null } }
  }

  #add(path: string, kind: string): string {
    this.#count += 1
    const id = `${kind}-${this.#count}`
    this.ids.set(path, id)
    this.#log.push(id)
    return id
  }

  #touch(path: string): void {
    this.folder(folderOf(path))
    const known = this.ids.get(path)
    if (known === undefined) this.#add(path, "file")
    else this.#log.push(known)
  }

  #drop(path: string): void {
    const id = this.ids.get(path)
    if (id === undefined) return
    this.ids.delete(path)
    this.#log.push(id)
  }
}

export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: utf8(JSON.stringify(value)),
  share: 1
})

/** Users who sign in, and their tokens. */
export class Accounts {
  /** Access tokens that are valid. */
  readonly valid = new Set(["given"])
  readonly refreshTokens = new Set<string>()
  /** Errors with which the next questions for a token are answered. */
  readonly refusals: Array<string> = []
  /** Forms that were sent, in order. */
  readonly forms: Array<Readonly<Record<string, string>>> = []
  /** True for a service whose refresh tokens stay valid. */
  keeps = false
  /** Seconds between two questions for a token. */
  interval = 5
  /** Challenge of the last consent in a browser. */
  challenge = ""
  /** Name of the member with the address for the code. */
  readonly address: string
  #count = 0

  constructor(address: string) {
    this.address = address
  }

  isLetIn({ header }: Asked): boolean {
    return this.valid.has(/^Bearer (.+)$/u.exec(header("authorization") ?? "")?.[1] ?? "")
  }

  /** Ends all access tokens. */
  expire(): void {
    this.valid.clear()
  }

  answer({ body, url }: Asked): Reply {
    const form = Object.fromEntries(new URLSearchParams(body))
    this.forms.push(form)
    if (url.pathname.endsWith("code")) {
      const code = { device_code: "device", user_code: "ABCD-EFGH", [this.address]: "https://login.test/device" }
      return json(200, { ...code, expires_in: 120, interval: this.interval })
    }
    const refusal = this.refusals.shift()
    if (refusal !== undefined) return json(400, { error: refusal, error_description: "as told" })
    const { code, code_verifier: verifier = "", grant_type: kind = "", refresh_token: token = "" } = form
    if (kind === "authorization_code") {
      const challenge = createHash("sha256").update(verifier).digest("base64url")
      if (code !== "granted" || challenge !== this.challenge) return json(400, { error: "invalid_grant" })
    }
    if (kind === "refresh_token" && !this.refreshTokens.has(token)) return json(400, { error: "invalid_grant" })
    this.#count += 1
    const made = { access: `access-${this.#count}`, refresh: `refresh-${this.#count}` }
    this.valid.add(made.access)
    if (!this.keeps) this.refreshTokens.delete(token)
    this.refreshTokens.add(made.refresh)
    return json(200, { access_token: made.access, refresh_token: made.refresh, expires_in: 3600, token_type: "Bearer" })
  }
}

/** Where an address of a sign-in leads. */
export const led = (address: string): Promise<URL> =>
  new Promise((resolve, reject) => {
    get(address, ({ headers: { location = "" }, statusCode }) => {
      if (statusCode === 302) resolve(new URL(location))
      else reject(new Error(`it was answered with ${statusCode}`))
    }).once("error", reject)
  })

/** Opens the address of a sign-in as a browser does whose user agrees, or refuses; gives the status of the page that it ends on. */
export const consent = async (address: string, accounts: Accounts, refusal?: string): Promise<number> => {
  const { searchParams } = await led(address)
  accounts.challenge = searchParams.get("code_challenge") ?? ""
  const state = searchParams.get("state") ?? ""
  const query = new URLSearchParams({ state, ...(refusal === undefined ? { code: "granted" } : { error: refusal }) })
  return sent("GET", `${searchParams.get("redirect_uri")}/?${query.toString()}`, {}, undefined)
}
