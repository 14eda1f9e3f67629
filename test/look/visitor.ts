/** The steps of a visitor of the page, by the names that a screen reader says. */
import type { Locator, Page } from "playwright-core"

export interface Dropped {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Drags files into the window and drops them, with the events of a real drag. */
export const drop = async (page: Page, files: ReadonlyArray<Dropped>): Promise<void> => {
  const data = await page.evaluateHandle(
    (all) => {
      const transfer = new DataTransfer()
      for (const { base64, name } of all) {
        transfer.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name))
      }
      return transfer
    },
    files.map(({ bytes, name }) => ({ name, base64: Buffer.from(bytes).toString("base64") }))
  )
  for (const event of ["dragenter", "dragover", "drop"]) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- a drag has an order
    await page.locator("main").dispatchEvent(event, { dataTransfer: data })
  }
  await data.dispose()
}

/** The button that shows a dropped document. */
export const documentOf = (page: Page, name: string): Locator =>
  page
    .getByRole("list", { name: "Documents" })
    .getByRole("listitem")
    .filter({ hasText: name })
    .getByRole("button")
    .first()

/** Waits until the document that is shown is parsed and split. */
export const ready = async (page: Page): Promise<void> => {
  await page.getByRole("tab", { name: /^Chunks \d/u }).waitFor()
}

export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name: new RegExp(`^${name}`, "u") })

/** Shows a tab and gives its panel. */
export const show = async (page: Page, name: string): Promise<Locator> => {
  await tab(page, name).click()
  return page.getByRole("tabpanel", { name: new RegExp(`^${name}`, "u") })
}

export const tabs = ["Markdown", "Blocks", "Chunks", "Metadata", "Answer", "Code"] as const

/** The picture of a page. */
export const picture = (page: Page, number: number): Locator =>
  page.getByRole("img", { name: `Page ${number}`, exact: true })

/** The sheet of a page with its boxes. */
export const sheet = (page: Page, number: number): Locator =>
  page.getByRole("group", { name: new RegExp(`^Page ${number}:`, "u") })

/** The boxes over a page. */
export const boxes = (page: Page, number: number): Locator => sheet(page, number).getByRole("button")

/** Left, top, right and bottom in pixels of the window. */
export type Edges = readonly [number, number, number, number]

export const edges = (locator: Locator): Promise<Edges> =>
  locator.evaluate((element) => {
    const { bottom, left, right, top } = element.getBoundingClientRect()
    return [left, top, right, bottom] as const
  })

/** How an element looks, but for its place: what changes when it lights up. */
export const looks = (locator: Locator): Promise<string> =>
  locator.evaluate((element) =>
    [element, ...element.querySelectorAll("*")]
      .map((part) => {
        const style = getComputedStyle(part)
        return [
          style.backgroundColor,
          style.boxShadow,
          style.outline,
          style.borderColor,
          style.fill,
          style.stroke,
          style.strokeWidth
        ].join()
      })
      .join(";")
  )

/** Waits until a claim about the page is true, 60 seconds at most. */
export const until = async (claim: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + 60_000
  // oxlint-disable eslint/no-await-in-loop -- it waits for the page
  while (!(await claim())) {
    if (performance.now() > end) throw new Error(`not true after 60 seconds: ${claim.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** Holds the requests to an address back until the result is called. */
export const held = async (page: Page, address: string): Promise<() => void> => {
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(address, async (route) => {
    await answered
    await route.continue()
  })
  return answer
}
