/** Signs in the text of a line or paragraph, as numbers: case, numbering, punctuation, kinds of characters. */
import * as CharacterKinds from "./CharacterKinds.ts"

const captionWord =
  /^(?:table|figure|fig|abb|abbildung|tab|tabelle|tabla|tableau|figura|tabela|quadro|cuadro|ilustraci[oó]n|illustration|图|図|表|圖|그림|표|рис|рисунок|табл|таблица|εικόνα|σχήμα|πίνακας|شكل|جدول|الشكل|الجدول|איור|טבלה|תרשים|chart|exhibit|graph|scheme|plate|listing|algorithm|box|photo|map|diagram)s?\s*\.?\s*(?:[\d\u0660-\u0669]+|[IVX]+\b|[A-Z]\b)/iu
const sectionWord =
  /^(?:chapter|section|appendix|part|article|annex|unit|lesson|step|kapitel|abschnitt|anhang|teil|artikel|chapitre|section|annexe|partie|article|cap[ií]tulo|secci[oó]n|anexo|parte|se[cç][aã]o|capitolo|sezione|allegato|глава|раздел|часть|приложение|κεφάλαιο|μέρος|الفصل|الباب|פרק|第\s*[\d一二三四五六七八九十]+\s*[章节節部])(?=\s|$|第)/iu
const decimal = /^(\d{1,3}(?:\.\d{1,3})*)([.):]?)(?=\s|\p{L})/u
const bullet = /^[•▪◦‣●○■□☐☑☒·➢✓➤►▶❖*–—-]\s|^[\ue000-\uf8ff]/u
const lettered = /^(?:\(?[a-z]{1}[.)]|\([A-Z]\)|\(?[ivx]{1,5}[.)])\s/u
const roman = /^[IVXLC]{1,6}[.)\u2013-]\s/u
const capitalLetter = /^[A-Z][.)]\s+\p{Lu}/u
const noteMark = /^(?:[*†‡§¶]|[\u00b9\u00b2\u00b3\u2070-\u2079]+|\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}(?=\s|\p{Lu}))/u
const leaders = /(?:\.\s?){4,}|…{2,}|_{4,}|·{4,}/u
const pageAtEnd = /\s(?:\d{1,4}|[ivxlc]{1,6})$/u
const strong = /[.!?。！？؟]["'”’»)\]]*$/u
const soft = /[,;،、；，]$/u
const colon = /[:：]$/u
const hyphen = /[-\u00ad\u2010]$/u
const equationNumber = /\(\s*[A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?\s*\)$/u
const code =
  /[{};]$|[=!]=|=>|->|::|\w\(.*\)|^\s*(?:def|class|import|return|if|for|while|const|let|var|function|public|private|#include|\$|>>>)\b/u
const address = /https?:\/\/|www\.|@\w+\.\w|doi\.org/iu
const date = /\b(?:19|20)\d\d\b/u
const label = /^\p{L}[^.!?:]{0,40}:\s*\S/u

const numberedCaption = new RegExp(String.raw`${captionWord.source}(?:[.-]\d+)*[.:](?=\s|$)`, "iu")

/** True for a caption by its word and number, such as `Figure 3.1. Overview`. */
export const isNumberedCaption = (text: string): boolean => numberedCaption.test(text)

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const endings = /[.!?]["'”’»)\]]*\s+\p{Lu}|[。！？؟]/gu

/** Signs of a text. Truth values are 0 or 1, shares are 0 to 1 of the characters other than white space. */
export const of = (text: string) => {
  const head = text.slice(0, 240)
  const kinds = CharacterKinds.of(head)
  const solid = Math.max(1, kinds.solid)
  const { digits, letters, lower, upper } = kinds
  const long = head.match(/\p{L}{4,}/gu) ?? []
  const number = decimal.exec(head)
  const afterNumber = number === null ? head : head.slice(number[0].length).trimStart()
  const is = (pattern: RegExp): number => (pattern.test(head) ? 1 : 0)
  const tail = text.slice(-40)
  const ends = (pattern: RegExp): number => (pattern.test(tail) ? 1 : 0)
  return {
    /** Natural logarithm of the characters plus one, so that long texts do not differ. */
    length: Math.log(Math.min(2000, text.length) + 1),
    words: Math.min(40, head.split(" ").length),
    letters: letters / solid,
    digits: digits / solid,
    symbols: Math.max(0, solid - letters - digits) / solid,
    operators: kinds.operators / solid,
    /** Share of capitals of the letters that have a case. */
    capitals: upper + lower === 0 ? 0 : upper / (upper + lower),
    /** Share of the words of four letters and more that begin with a capital. */
    titleCase: long.length === 0 ? 0 : long.filter((word) => /^\p{Lu}/u.test(word)).length / long.length,
    /** 1 for a capital or a letter without case, 0 for a small letter, 0.5 for anything else. */
    start: /^\p{Ll}/u.test(afterNumber) ? 0 : /^\p{L}/u.test(afterNumber) ? 1 : 0.5,
    endsSentence: ends(strong),
    endsSoft: ends(soft),
    endsColon: ends(colon),
    endsHyphen: ends(hyphen),
    /** Sentences that end inside the text. */
    sentences: Math.min(5, count(head, endings)),
    /** Parts of its decimal number: 3 for `1.2.3`. */
    depth: number === null ? 0 : (number[1] ?? "").split(".").length,
    /** 1 for `1.`, 2 for `1)`, 3 for `1:`. */
    numberMark: number === null ? 0 : ".):".indexOf(number[2] === "" ? " " : (number[2] ?? " ")) + 1,
    bullet: is(bullet),
    lettered: is(lettered),
    roman: is(roman),
    capitalLetter: is(capitalLetter),
    sectionWord: is(sectionWord),
    captionWord: is(captionWord),
    noteMark: is(noteMark),
    leaders: is(leaders),
    pageAtEnd: ends(pageAtEnd),
    equationNumber: ends(equationNumber),
    code: is(code),
    address: is(address),
    date: is(date),
    label: is(label),
    bracketed: /^[([（【]/u.test(head) ? 1 : 0,
    quoted: /^["'“„«‘「]/u.test(head) ? 1 : 0,
    /** Shares of ideographs and kana, and of right-to-left letters. */
    ideographs: kinds.ideographs / solid,
    rightToLeft: kinds.rightToLeft / solid
  }
}

/** The signs of a text, by name: each is a feature of `LineModel`. */
export type TextSigns = Readonly<ReturnType<typeof of>>
