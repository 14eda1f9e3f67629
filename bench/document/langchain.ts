/**
 * LangChain.js as its documentation puts it together: a loader, a splitter, `index()` with a record manager, a vector store.
 *
 * The record manager is the one over SQLite, whose file each phase finds again as ours does; the one in memory forgets everything
 * between two runs, and compares every record with every batch. `better-sqlite3`, which it wants, is the package `libsql` here,
 * with the same interface and the same native code as ours. It has no cache of answers: whatever it does, it parses every file.
 */
import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { SQLiteRecordManager } from "@langchain/community/indexes/sqlite"
import { BaseDocumentLoader } from "@langchain/core/document_loaders/base"
import { Document, type DocumentInterface } from "@langchain/core/documents"
import { Embeddings } from "@langchain/core/embeddings"
import { index } from "@langchain/core/indexing"
import { VectorStore } from "@langchain/core/vectorstores"
import { MarkdownTextSplitter } from "@langchain/textsplitters"
import { Agent } from "undici"
import { chunkCharacters, type Contender, embedding, type Task } from "./task.ts"
import { upload } from "./upload.ts"

class Vectors extends Embeddings {
  constructor() {
    super({})
  }
  override embedDocuments(texts: Array<string>): Promise<Array<Array<number>>> {
    return Promise.resolve(texts.map(embedding))
  }
  override embedQuery(text: string): Promise<Array<number>> {
    return Promise.resolve(embedding(text))
  }
}

/** Embeds what it is given and keeps nothing. */
class Nowhere extends VectorStore {
  written = 0
  override _vectorstoreType(): string {
    return "nowhere"
  }
  override addVectors(_: Array<Array<number>>, documents: Array<DocumentInterface>): Promise<void> {
    this.written += documents.length
    return Promise.resolve()
  }
  override async addDocuments(documents: Array<DocumentInterface>): Promise<void> {
    await this.addVectors(await this.embeddings.embedDocuments(documents.map((one) => one.pageContent)), documents)
  }
  override similaritySearchVectorWithScore(): Promise<Array<[DocumentInterface, number]>> {
    return Promise.resolve([])
  }
  override delete(): Promise<void> {
    return Promise.resolve()
  }
}

/** Sends every file of a folder to the service. */
class ServiceLoader extends BaseDocumentLoader {
  documents = 0
  private readonly task: Task
  private readonly dispatcher: Agent
  constructor(task: Task, dispatcher: Agent) {
    super()
    this.task = task
    this.dispatcher = dispatcher
  }
  override async load(): Promise<Array<Document>> {
    const { base, concurrency, folder } = this.task
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"))
    const queue = paths.values()
    const loaded: Array<Document> = []
    const worker = async (): Promise<void> => {
      for (const path of queue) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- a worker does one file after the other
        const { markdown } = await upload(this.dispatcher, base, path, await readFile(join(folder, path)))
        loaded.push(new Document({ pageContent: markdown, metadata: { source: path } }))
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    this.documents = loaded.length
    return loaded
  }
}

export const langchain: Contender = () =>
  Promise.resolve(async (task) => {
    const dispatcher = new Agent({ connections: task.concurrency })
    const recordManager = new SQLiteRecordManager(task.sink, {
      localPath: join(task.state, "records.db"),
      tableName: "records"
    })
    await recordManager.createSchema()
    const loader = new ServiceLoader(task, dispatcher)
    const splitter = new MarkdownTextSplitter({ chunkSize: chunkCharacters, chunkOverlap: 0 })
    const vectorStore = new Nowhere(new Vectors(), {})
    await index({
      docsSource: await splitter.splitDocuments(await loader.load()),
      recordManager,
      vectorStore,
      options: { cleanup: "incremental", sourceIdKey: "source" }
    })
    await dispatcher.close()
    return { documents: loader.documents, written: vectorStore.written }
  })
