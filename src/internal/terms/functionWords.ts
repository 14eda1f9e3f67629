/**
 * Function words by language: they tell languages apart, and say nothing about the subject of a text.
 *
 * In lower case, without diacritics, as `Terms` folds them.
 */
import { fold, type Version } from "./fold.ts"

const first: Readonly<Record<string, string>> = {
  en: "the of and to in is are was were be been that it for on with as by at from this these those which who what when where why how do does did can could should would will may must has have had not or an a its their there than then if into about between but they you we he she his her any all each some no many much more most very also just only get got long often",
  de: "der die das den dem des und ist sind war waren ein eine einer einem einen eines zu zum zur von vom mit fur auf im in ins an am als bei nach nicht auch es sie er wir ich wird werden wurde wie was wer wann wo warum welche welcher welches wieviel dass oder aus durch uber unter um so noch nur kann muss soll hat haben man wenn sich ihr ihre sein seine viel viele vielen lange oft mein meine",
  fr: "le la les l d un une des du de et est sont etait dans en pour par sur avec au aux ce cette ces cet que qui quoi quel quelle quels quelles comment pourquoi quand ou ne pas plus il elle ils elles on se sa son ses leur leurs nous vous a ont peut doit comme mais entre combien mon ma mes faut il y temps tous toutes",
  es: "el la los las un una unos unas de del y es son era en para por con al a que quien cual cuales como cuando donde por se su sus lo no mas pero o entre sobre esta este esto estas estos hay ha han fue puede debe muy cuanto cuantos cuantas cuanta mi todos",
  it: "il lo la i gli le un uno una di del della dei degli delle e sono era nel nella per con al alla che chi quale quali come quando dove perche si su sul sulla non piu ma da dal dalla anche ha hanno puo deve questo questa tra quanto quanti quante mio mia",
  pt: "o a os as um uma uns umas de do da dos das e sao era em no na nos nas para por com ao que quem qual quais como quando onde se seu sua seus suas nao mais mas ou entre sobre este esta isso ha foi pode deve muito pelo pela quanto quantos quantas meu minha",
  nl: "de het een en van is zijn was waren in op te voor met aan bij uit naar niet ook dat die dit deze wie wat waar wanneer waarom hoe welke of als er om door over tot nog maar kan moet wordt worden werd heeft hebben men zich hun",
  sv: "en ett och att det den de som i pa ar var for med av till fran om inte eller man kan ska skall har hade vad vem nar hur varfor vilken vilket vilka sig sin sitt sina detta denna dessa vid efter under mycket blir",
  da: "en et og at det den de som i pa er var for med af til fra om ikke eller man kan skal har havde hvad hvem hvornar hvordan hvorfor hvilken hvilket hvilke sig sin sit sine dette denne disse ved efter under meget bliver nar",
  no: "en et ei og a at det den de som i pa er var for med av til fra om ikke eller man kan skal har hadde hva hvem nar hvordan hvorfor hvilken hvilket hvilke seg sin sitt sine dette denne disse ved etter under mye blir",
  fi: "ja on ei se han ne ovat oli olivat etta joka jotka mika mita missa milloin miksi miten kuka kun jos tai myos kuin niin ole eivat tama taman nama sen sita voi pitaa ovatko kanssa",
  hu: "a az egy es hogy nem van volt is ez ezt azt mi ki hol mikor miert hogyan melyik milyen mennyi vagy meg de ha mint csak kell lehet akkor meg lesz voltak minden",
  ro: "si in la de cu pe un o este sunt era au fost din pentru prin ce cine care cum cand unde nu mai sau dar se sa lui lor al ale ai cel cea acest aceasta poate trebuie intre",
  tr: "ve bir bu da de icin ile mi ne kim nerede nasil neden hangi kac daha cok gibi kadar olan olarak olur var yok degil ama veya ya her o sonra once",
  id: "yang dan di ke dari untuk dengan pada adalah ini itu tidak atau apa siapa kapan bagaimana mengapa berapa dalam akan dapat harus oleh sebagai juga karena telah bisa ada",
  lt: "ir yra buvo kad kas ka kur kada kaip kodel kuris kuri su is i ne arba bet tai sis si jo jos ju nuo iki per del turi gali ar",
  ga: "an na agus is ta ar i le go do de ni bhi mar seo sin cad ce conas cathain cen faoi ach no ag as o a",
  ru: "и в во не на что как это по из к у за от с со для или но он она они мы вы его ее их был была были быть есть который которая которые какой какая какие когда где почему сколько кто если чтобы также при до после между можно нужно",
  uk: "і в у не на що як це по із з до за від для або але він вона вони ми ви його її їх був була були бути є який яка які коли де чому скільки хто якщо щоб також при після між можна треба та й",
  bg: "и в във не на че как това по от за с със или но той тя те ние вие го му ги беше бяха съм е са който която които какво кога къде защо колко кой ако да също при до след между може трябва се",
  sr: "и у не на да како то по из за од са или али он она они ми ви га му их је су био била који која које шта када где зашто колико ко ако такође при до после између може треба се",
  zh: "的 了 在 是 和 与 有 不 也 就 都 而 及 或 被 把 对 从 到 为 以 于 吗 呢 吧 个 这 那 这个 那个 什么 怎么 怎样 如何 多少 哪 哪个 哪些 哪里 谁 为什么 何时 几 几个 可以 需要 应该 能 会 要 我 你 他 她 它 我们",
  ja: "の に は を が と で た て だ し れ さ も や か へ から まで より です ます する した して され ある いる いう こと もの これ それ この その どの どこ いつ 誰 何 なぜ どう どれ いくつ ない なる ため よう れる られる 的 ました ください でしょう",
  ko: "은 는 이 가 을 를 의 에 와 과 도 로 에서 으로 무엇 무엇을 무엇이 무엇인가 무엇인가요 어떻게 어떤 언제 어디 어디에 왜 누가 누구 몇 얼마 얼마나 있는 있나요 있습니까 하는 하나요 합니까 입니까 인가요 되나요 됩니까 그 저 그리고 수 것 및 또는 합니다 있습니다 입니다 한다 할",
  th: "ที่ และ ใน ของ เป็น อยู่ คือ อะไร ใคร ไหน เมื่อไร เมื่อไหร่ ทำไม อย่างไร ยังไง กี่ เท่าไร เท่าไหร่ มี ให้ ได้ จะ ไม่ กับ จาก การ ความ ว่า โดย ไป มา แล้ว นี้ นั้น หรือ ต้อง ควร ต่อ ถึง เพื่อ ก็ ซึ่ง ด้วย ไว้ ทุก บ้าง ไหม"
}

/** Languages that version 1 has none of. */
const added: Readonly<Record<string, string>> = {
  ar: "في من على الي الى عن ان او ما ماذا هو هي هم التي الذي الذين هذا هذه ذلك تلك كان كانت يكون تكون لا لم لن كيف متى متي اين لماذا كم هل مع بين كل بعد قبل قد كما ثم حيث عند و لها له به بها فيه فيها منها منه اي",
  el: "ο η το οι τα του της των τον την τους τις και να με σε για απο που ειναι ηταν δεν θα στο στη στην στον στα στισ στις τι ποιος ποια ποιο ποιοι ποιες ποσο ποσα ποσοι ποσες πως ποτε γιατι αν ως οτι αλλα η ενα μια ενας κατα μετα οταν αυτο αυτη αυτος αυτα εχει ειχε εχουν",
  he: "של את על לא הוא היא הם הן זה זו זאת עם או גם כי אם מה מי איך כיצד למה מדוע מתי איפה היכן כמה יש אין היה היתה הייתה היו אל כל אבל רק עד בין אשר איזה אילו לי לו לה אני אנחנו",
  hi: "का के की में है हैं को से ने और या पर यह वह ये वे था थी थे हो होता होती कि जो क्या कौन कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने एक नहीं भी तो ही इस उस के लिए लिये द्वारा साथ"
}

/** Languages of scripts without stems; their function words are always taken as such. */
export const stemless: ReadonlySet<string> = new Set(["zh", "ja", "ko", "th"])

const byWord = (
  lists: Readonly<Record<string, string>>,
  foldWord: (word: string) => string
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const [language, words] of Object.entries(lists)) {
    for (const word of new Set(words.split(" ").map(foldWord))) {
      const languages = found.get(word)
      if (languages === undefined) found.set(word, [language])
      else languages.push(language)
    }
  }
  return found
}

/** Languages of a function word, folded. Those with `й`, `ё` and `ї` never were function words in version 1, which folds them away. */
export const languagesOf: Readonly<Record<Version, ReadonlyMap<string, ReadonlyArray<string>>>> = {
  1: byWord(first, (word) => word),
  2: byWord({ ...first, ...added }, (word) => fold(word, 2))
}
