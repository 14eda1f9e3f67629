/**
 * Signs that a text speaks to the model that reads it, rather than to its readers. A heuristic: it finds the usual phrases in a few
 * languages, misses others, and may take a text about such attacks for one.
 */

/** Phrases after spelling has been evened out: lower case, single spaces, no marks. Each is bounded, so the search is linear. */
const phrases: ReadonlyArray<RegExp> = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|system)\b.{0,30}\b(?:instructions?|prompts?|rules?|directions?|commands?|messages?|guidelines?)\b/u,
  /\b(?:you are|act as|pretend to be|behave as) (?:now )?(?:an? |the )?(?:unrestricted|jailbroken|dan\b|developer mode|different (?:ai|assistant|model))/u,
  /\b(?:reveal|print|repeat|output|show|leak)\b.{0,30}\b(?:system prompt|hidden prompt|initial instructions|your instructions|your prompt)\b/u,
  /\b(?:new|updated|real|actual) (?:instructions?|task|system prompt) ?:/u,
  /\b(?:dear|attention|note to|message (?:to|for)|instructions? (?:to|for)) (?:the |any |all )?(?:ai|llms?|language models?|assistants?|chatbots?|chatgpt|gpt|claude|gemini)\b/u,
  /\b(?:when|if) (?:you|an ai|the ai|the model|a language model) (?:read|reads|summari[sz]e|summari[sz]es|process|processes|extract|extracts)\b.{0,60}\b(?:must|should|always|only|instead)\b/u,
  /<\|?(?:im_start|im_end|system|endoftext)\|?>|\[\/?inst\]|<<\/?sys>>/u,
  /(?:^|\s)(?:system|assistant) ?: ?(?:you|ignore|from now)/u,
  /\b(?:ignoriere|vergiss|missachte)\b.{0,40}\b(?:vorherigen?|bisherigen?|obigen?|alle)\b.{0,30}\b(?:anweisungen|befehle|regeln)\b/u,
  /\b(?:ignorez?|oubliez?)\b.{0,40}\b(?:instructions?|consignes|regles)\b.{0,20}\b(?:precedentes?|anterieures?|ci-dessus)\b/u,
  /\b(?:ignora|olvida)\b.{0,40}\b(?:instrucciones|reglas|istruzioni)\b.{0,20}\b(?:anteriores|previas|precedenti)\b/u,
  /(?:игнорируй|забудь).{0,40}(?:инструкции|указания|правила)/u,
  /(?:忽略|无视|忘记).{0,15}(?:之前|以上|所有|先前).{0,10}(?:指令|指示|说明|提示)/u,
  /(?:これまで|以前|上記|前)の(?:指示|命令|プロンプト)を?(?:すべて)?(?:無視|忘れ)/u
]

/** Characters that a reader does not see, which can split a phrase. */
const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu

/** Text in characters of the tag block, which only a model reads. */
const hidden = /[\u{e0020}-\u{e007e}]{4}/u

/** Markup between words. */
const marks = /[*_`#>~|\\]+/gu

/** Length of the windows that are searched, and by how much they overlap. */
const windowLength = 100_000
const overlap = 400

const evened = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(invisible, "")
    .replaceAll(marks, " ")
    .replaceAll(/\s+/gu, " ")
    .toLowerCase()

/** The first phrase of a text that speaks to a model; undefined when none was found. Takes time linear in the text. */
export const find = (text: string): string | undefined => {
  if (hidden.test(text)) return "text in invisible characters"
  const plain = evened(text)
  for (let start = 0; start < plain.length; start += windowLength - overlap) {
    const part = plain.slice(start, start + windowLength)
    for (const phrase of phrases) {
      const match = phrase.exec(part)
      if (match !== null) return match[0].trim()
    }
  }
  return undefined
}
