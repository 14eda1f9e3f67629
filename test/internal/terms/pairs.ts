/**
 * Pairs of words that a search has to take for the same, and pairs that it must not.
 *
 * A row is a language, what a text holds, and what is asked for. The words of the text stand in a sentence of their language, those of the
 * question alone.
 */

/** Sentences by language; the word of a text takes the place of `…`. */
export const sentences: Readonly<Record<string, string>> = {
  ar: "هذا هو … في هذه المدينة على كل حال.",
  bg: "Това е … и не беше в града, но това са те.",
  da: "Det er … som jeg har set, og den var ikke ved siden af.",
  de: "Das ist … und es war nicht in der Stadt, wie man sagt.",
  el: "Αυτό είναι … και δεν ήταν στην αυλή, που είναι για όλους.",
  en: "This is … and it was not in the garden of the king.",
  es: "Esto es … y no era de la señora, pero está en el campo.",
  fi: "Se on … ja se ei ole täällä, mutta he ovat, kun se oli.",
  fr: "Ce n'est pas … et il est dans la cour avec le roi.",
  he: "זה … והוא לא היה שם, אבל גם היא.",
  hi: "यह … है और वह नहीं था।",
  hu: "Ez … és nem volt itt, hogy az is egy legyen, mint akkor.",
  hy: "Սա … է և նա այստեղ չէ։",
  id: "Ini adalah … yang tidak ada di kota dan untuk itu.",
  it: "Questo è … e non era nella corte, che è per il re.",
  ja: "これは…です。",
  ko: "그것은 … 그리고 아니다.",
  lt: "Tai yra … ir jis buvo ne čia, bet kad ji yra.",
  nl: "Dit is … en het was niet in de stad, maar dat is het.",
  no: "Det er … som jeg ikke har sett, og hva er det etter den.",
  pt: "Isso é … e não era da senhora, mas está em uma rua com o rei.",
  ro: "Acesta este … și nu era în oraș, dar sunt și cu el.",
  ru: "Это … и он не был в городе, но она была на месте.",
  sv: "Det är … som jag inte har sett, och vad är det för en.",
  ta: "இது … அல்ல.",
  th: "นี่คือ…ที่อยู่ใน",
  tr: "Bu bir … ve o değil ama çok var, daha sonra ne olur.",
  uk: "Це … і він не був у місті, але вона була на місці.",
  zh: "这是…的。"
}

const rows = (text: string): ReadonlyArray<readonly [language: string, text: string, question: string]> =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [language = "", held = "", asked = ""] = line.split("|").map((part) => part.trim())
      return [language, held, asked] as const
    })

export const same = rows(`
  en | children | child
  en | children's | child
  en | children’s | children
  en | child | children's
  en | mice | mouse
  en | women | woman
  en | feet | foot
  en | teeth | tooth
  en | people | person
  en | criteria | criterion
  en | analyses | analysis
  en | indices | index
  en | matrices | matrix
  en | knives | knife
  en | bought | buy
  en | sold | sells
  en | written | write
  en | libraries | library
  en | company's | company
  en | maxRedirections | max_redirections
  en | max_redirections | maxRedirections
  en | maxRedirections | max redirections
  en | max redirections | maxRedirections
  en | Mueller | Müller
  en | max_redirection | maxRedirections
  en | HTTPServer | server
  en | UND_ERR_HEADERS_TIMEOUT | headers timeout
  en | maxRedirections | max-redirections
  en | PDFs | pdf
  en | ISO-9001 | ISO9001
  en | ISO9001 | ISO 9001
  en | ISO 9001 | ISO-9001
  en | B-12 | B12
  en | B12 | B-12
  en | RFC9110 | RFC 9110
  en | RFC 9110 | rfc-9110
  en | COVID-19 | covid19
  en | 10kg | 10 kg
  en | e-mail | email
  en | email | e-mail
  en | e-mails | email
  en | long-term | longterm
  en | longterm | long-term
  en | long term | long-term
  en | long‑term | long-term
  en | U.S.A. | USA
  en | USA | U.S.A.
  en | O'Brien | OBrien
  en | O’Brien's | O'Brien
  en | Obrien | O'Brien
  en | 1,234.5 | 1234.5
  en | 1,234,567 | 1234567
  en | 1234.5 | 1,234.5
  en | 1,234.5 | 1.234,5
  en | 1 234 | 1234
  en | 1 234.50 | 1234.50
  en | 1,234 | 1 234
  en | ﬁles | file
  en | oﬃce | office
  en | ＡＢＣ | abc
  en | １２３ | 123
  en | naïve | naive
  en | data­base | database
  de | Häuser | Haus
  de | Häuser | Haeuser
  de | Haeuser | Haus
  de | Verträge | Vertraege
  de | Straße | Strasse
  de | STRASSE | Straße
  de | Größe | Groesse
  de | Bücher | Buch
  de | Firmen | Firma
  de | Risiken | Risiko
  de | Müller | Mueller
  de | Mueller | Müller
  de | E-Mail | Email
  de | Daten-Bank | Datenbank
  de | 1.234,5 | 1234,5
  nl | huizen | huis
  nl | brieven | brief
  nl | kinderen | kind
  nl | steden | stad
  nl | foto's | foto
  nl | prijzen | prijs
  sv | böckerna | bok
  sv | fötter | fot
  sv | flickorna | flicka
  da | børnene | barn
  da | bøger | bog
  da | Århus | Aarhus
  da | Aarhus | Århus
  no | bøkene | bok
  no | føtter | fot
  fi | taloissa | talo
  fi | kaupungissa | kaupunki
  fi | kadulla | katu
  fi | tiedot | tieto
  hu | házakban | ház
  hu | kutyák | kutya
  hu | almát | almák
  hu | embereknek | ember
  tr | evlerimizden | ev
  tr | çalışanlarının | çalışan
  tr | kitaplarımızdaki | kitap
  tr | IŞIKLAR | ışık
  tr | ışıklar | IŞIK
  tr | İSTANBUL'DA | istanbul
  tr | arabalarımızdan | araba
  tr | müşterilerimiz | müşteri
  fr | l'eau | eau
  fr | eau | l'eau
  fr | chevaux | cheval
  fr | travaux | travail
  fr | œuvre | oeuvre
  es | luces | luz
  es | canciones | canción
  pt | nações | nação
  pt | animais | animal
  pt | homens | homem
  it | banchi | banco
  it | laghi | lago
  it | dell'acqua | acqua
  ro | cărțile | carte
  ro | copiii | copil
  id | dibaca | membaca
  lt | knygos | knyga
  ru | книгами | книга
  ru | ёлки | елка
  ru | детей | ребёнок
  ru | людей | человек
  uk | комп'ютери | компʼютер
  uk | компʼютер | комп'ютери
  uk | договору | договір
  uk | року | рік
  uk | людей | людина
  bg | градът | градове
  el | δρόμοι | ΔΡΟΜΟΣ
  el | βιβλία | βιβλίο
  el | πόλεις | πόλη
  hy | հարցերը | հարց
  he | הבית | בית
  he | בית | הבית
  he | ובבית | בית
  he | שהילדים | ילד
  he | כשהמלך | מלך
  he | מהספרים | ספר
  he | לבית | הבית
  he | שָׁלוֹם | שלום
  he | צה״ל | צהל
  he | צה"ל | צה״ל
  he | המכתב | מכתב
  he | מכונות | מכונה
  ar | الكتاب | كتاب
  ar | والكتاب | كتاب
  ar | بالكتاب | الكتاب
  ar | للكتاب | كتاب
  ar | وكتاب | كتاب
  ar | كتاب | والكتاب
  ar | فالكتاب | كتاب
  ar | أحمد | احمد
  ar | مستشفى | مستشفي
  ar | آمنة | امنه
  ar | مدرسة | مدرسه
  ar | كِتَابٌ | كتاب
  ar | السيارات | سيارة
  ar | سيارات | سيارة
  ar | وزير | الوزير
  ar | المعلمين | معلم
  ar | ٢٠٢٤ | 2024
  hi | लड़कियों | लड़की
  hi | किताबें | किताब
  hi | घरों | घर
  hi | २०२४ | 2024
  ta | புத்தகங்கள் | புத்தகம்
  th | หนังสือ | หนังสือ
  th | ห้องสมุด | ห้องสมุด
  ja | サーバー | サーバ
  ja | サーバ | サーバー
  ja | コンピューター | コンピュータ
  ja | ﾃﾞｰﾀ | データ
  ja | 東京タワー | タワー
  ja | 機械学習 | 学習
  ko | 도서관에서 | 도서관
  ko | 책을 | 책
  ko | 학교에서는 | 학교
  ko | 집에서 | 집
  ko | 책 | 책은
  zh | 機器學習 | 机器学习
  zh | 机器学习 | 機器學習
  zh | 臺灣 | 台湾
  zh | 經濟發展 | 经济发展
  zh | 体育 | 體育
  zh | 軟體 | 软体
`)

export const different = rows(`
  en | house | mouse
  en | mouse | mousse
  en | child | chilled
  en | feet | feat
  en | brought | bought
  en | 234 | 1,234
  en | 1.5 | 15
  en | 1,5 | 15
  en | 12.34.56 | 123456
  en | 2024-01-15 | 20240115
  en | B-12 | B-21
  en | 1st | st
  en | iPhone | phone
  en | PDFs | fs
  en | can't | cant
  en | and/or | andor
  en | red,green | redgreen
  en | 0.123 | 0123
  en | 2019 234 | 2019234
  de | Haus | Hase
  de | Poet | Pott
  de | neue | Nu
  de | Steuer | Star
  de | Feuer | Feier
  nl | huis | hut
  sv | bock | bok
  fi | laki | lakka
  fi | tili | tilli
  tr | göz | gözlük
  tr | kadın | kadar
  fr | peau | eau
  es | casa | caza
  it | banco | bianco
  pt | pão | pau
  ru | дом | дым
  ru | лето | год
  uk | ліс | лис
  he | מלך | כלך
  he | דעה | הודעה
  he | לחם | חם
  ar | كتاب | تاب
  ar | ولد | لد
  ar | باب | ب
  hi | घर | घास
  th | บ้าน | น้ำ
  ja | 机 | 機の
  ja | 机の | 機の
  hu | alma | alak
  tr | kadın | kad
  ja | ビル | ビール
  ko | 회의 | 회
  ko | 나이 | 나
  zh | 大学 | 大雪
  zh | 機器 | 機會
`)
