/** Parts of charts, and of packages that hold them. */

export const space = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
export const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const relation = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

export const points = (values: ReadonlyArray<string>): string =>
  values.map((value, at) => (value === "" ? "" : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join("")

export const texts = (values: ReadonlyArray<string>): string =>
  `<c:strRef><c:f>A</c:f><c:strCache>${points(values)}</c:strCache></c:strRef>`

export const numbers = (values: ReadonlyArray<string>, format = "General"): string =>
  `<c:numRef><c:f>A</c:f><c:numCache><c:formatCode>${format}</c:formatCode>${points(values)}</c:numCache></c:numRef>`

export const series = (name: string, categories: string, values: ReadonlyArray<string>): string =>
  `<c:ser><c:tx>${texts([name])}</c:tx><c:cat>${categories}</c:cat><c:val>${numbers(values)}</c:val></c:ser>`

export const titled = (title: string): string => `<c:title><c:tx>${title}</c:tx></c:title>`

export const chart = (title: string, ...all: ReadonlyArray<string>): string =>
  `<c:chartSpace ${space} ${drawing}><c:chart>${titled(`<c:rich><a:p><a:r><a:t>${title}</a:t></a:r></a:p></c:rich>`)}<c:plotArea><c:barChart>${all.join("")}</c:barChart></c:plotArea></c:chart></c:chartSpace>`

export const rain = chart(
  "Rain &amp; snow",
  series("North", texts(["May", "June"]), ["1.5", "2"]),
  series("South", texts(["May", "June"]), ["", "4"])
)

/** The table of {@link rain} with its title. */
export const table = "**Rain & snow**\n\n|  | North | South |\n| --- | --- | --- |\n| May | 1.5 |  |\n| June | 2 | 4 |"

/** Relationships by their ids, of the kind that the target's name begins with. */
export const relations = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(targets)
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${/([a-z]+)\d*\.xml$/u.exec(target)?.[1] ?? ""}" Target="${target}"/>`
    )
    .join("")}</Relationships>`

export const graphic = (id = "rId4"): string =>
  `<a:graphic ${drawing}><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart ${space} ${relation} r:id="${id}"/></a:graphicData></a:graphic>`
