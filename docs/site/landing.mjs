/** The first page: sentences and code of `README.md`, and the lists of `docs/README.md`. */
import { lists, read, repository } from "./guides.mjs"

const readme = read("README.md")

/** The first fence of the README in that language that has these words. */
const fence = (language, words) => {
  const [, found] =
    Array.from(readme.matchAll(/^(```\w*\n[\s\S]*?^```)$/gmu)).find(
      ([all]) => all.startsWith(`\`\`\`${language}\n`) && all.includes(words)
    ) ?? []
  if (found === undefined) throw new Error(`README.md has no ${language} fence with ${words}`)
  return found
}

/** What stands between the README's title and its first fence. */
const [, opening] = /^# .*\n+([\s\S]*?)\n+```/u.exec(readme)

const [, picture] = /^(!\[.*\]\(.*\))$/mu.exec(readme)

/** Links as they are below the root of the site. */
const onSite = (text) =>
  text
    .replaceAll(`${repository}/blob/main/docs/`, "")
    .replaceAll("https://raw.githubusercontent.com/docsluice/docsluice/main/docs/images/", "media/")
    .replaceAll(/\]\(([\w-]+)\.md/gu, "](guides/$1.html")
    .replaceAll("](site/)", "](modules.html)")

/** Pictures of the first page, below `docs/images`. */
export const pictures = Array.from(onSite(picture).matchAll(/media\/([\w.-]+)/gu), ([, name]) => name)

export const landing = onSite(`<div class="opening">

# docsluice

${opening}

<p class="ways"><a href="guides/first-answer.html">First answer</a> <a href="guides/coming-from.html">Coming from</a> <a href="modules.html">API</a> <a href="${repository}">GitHub</a></p>

</div>

## Install

${fence("bash", "npm i docsluice")}

${fence("bash", "npx docsluice ingest")}

## First program

${fence("ts", "docsluice/Async")}

${picture}

<div class="lists">
${lists.map(({ lines, title }) => `<div>\n\n## ${title}\n\n${lines.join("\n")}\n\n</div>`).join("\n")}
</div>
`)
