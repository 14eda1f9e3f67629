/** Answers to `PROPFIND`: what a server says of each resource, read as it arrives. */
import { SaxesParser } from "saxes"

/** A resource as a server names it; texts are empty where it says nothing. */
export interface Resource {
  /** Its address, absolute or not, in whatever encoding. */
  readonly href: string
  /** Status of the resource, or of its properties where none could be told. */
  readonly status: number
  readonly isFolder: boolean
  readonly length: string
  readonly etag: string
  readonly modified: string
}

/** The question: the properties that are read here, and no others. */
export const question =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getetag/><getlastmodified/></prop></propfind>'

/** Characters of a property; no address is longer. */
const longest = 16_384

const space = "DAV:"

type Properties = Pick<Resource, "isFolder" | "length" | "etag" | "modified">

const none: Properties = { isFolder: false, length: "", etag: "", modified: "" }

/** The status in a line such as `HTTP/1.1 200 OK`; 0 for any other text. */
const statusOf = (line: string): number => Number(/^HTTP\/\S+ (\d{3})/u.exec(line)?.[1] ?? 0)

/** Reads an answer part by part. */
export class Multistatus {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #path: Array<string> = []
  #resources: Array<Resource> = []
  #failed = false
  #text = ""
  /** Of the resource that is being read. */
  #href = ""
  #status = 0
  #told: Properties | undefined
  /** Of its group of properties that is being read; their status comes after them or before. */
  #group = none
  #groupStatus = 0

  constructor() {
    const gather = (part: string): void => {
      if (this.#text.length < longest) this.#text += part
    }
    this.#parser.on("error", () => {
      this.#failed = true
    })
    this.#parser.on("opentag", ({ local, uri }) => {
      this.#path.push(uri === space ? local : `{${uri}}${local}`)
      this.#text = ""
      this.#opened(this.#path.join(" "))
    })
    this.#parser.on("text", gather)
    this.#parser.on("cdata", gather)
    this.#parser.on("closetag", () => {
      this.#closed(this.#path.join(" "), this.#text.trim())
      this.#path.pop()
      this.#text = ""
    })
  }

  /** Takes a part of the text; returns the resources that ended in it. */
  write(text: string): ReadonlyArray<Resource> {
    if (!this.#failed) this.#parser.write(text)
    const ended = this.#resources
    this.#resources = []
    return ended
  }

  /** True when the text was an answer, and to its end. */
  close(): boolean {
    if (!this.#failed) this.#parser.close()
    return !this.#failed
  }

  #opened(path: string): void {
    if (this.#path.length === 1 && path !== "multistatus") this.#failed = true
    if (path === "multistatus response") [this.#href, this.#status, this.#told] = ["", 0, undefined]
    if (path === "multistatus response propstat") [this.#group, this.#groupStatus] = [none, 0]
  }

  #closed(path: string, text: string): void {
    const prop = "multistatus response propstat prop"
    switch (path) {
      case "multistatus response href":
        // A response with several addresses is about deleting or moving.
        this.#href ||= text
        break
      case "multistatus response status":
        this.#status = statusOf(text)
        break
      case `${prop} resourcetype collection`:
        this.#group = { ...this.#group, isFolder: true }
        break
      case `${prop} getcontentlength`:
        this.#group = { ...this.#group, length: text }
        break
      case `${prop} getetag`:
        this.#group = { ...this.#group, etag: text }
        break
      case `${prop} getlastmodified`:
        this.#group = { ...this.#group, modified: text }
        break
      case "multistatus response propstat status":
        this.#groupStatus = statusOf(text)
        break
      case "multistatus response propstat":
        if (this.#groupStatus === 200) this.#told = this.#group
        else this.#status ||= this.#groupStatus
        break
      case "multistatus response":
        this.#resources.push({
          href: this.#href,
          status: this.#told === undefined ? this.#status : 200,
          ...(this.#told ?? none)
        })
        break
      default:
    }
  }
}
