/** Words whose stem no rule finds, with the word whose stem they have. */

/** By language: the word that is stemmed, then its forms. */
const lists: Readonly<Record<string, string>> = {
  en: `
    child children childrens, mouse mice, louse lice, goose geese, tooth teeth, foot feet, man men mens, woman women womens,
    person people peoples, ox oxen, criterion criteria, phenomenon phenomena, analyse analysis analyses, crisis crises,
    thesis theses, hypothesis hypotheses, diagnosis diagnoses, synthesis syntheses, emphasis emphases, parenthesis parentheses,
    synopsis synopses, prognosis prognoses, index indices, matrix matrices, vertex vertices, appendix appendices,
    vortex vortices, axis axes, knife knives, wife wives, half halves, shelf shelves, wolf wolves, calf calves,
    loaf loaves, thief thieves, scarf scarves, stimulus stimuli, nucleus nuclei, radius radii, fungus fungi, cactus cacti,
    alumnus alumni, bacterium bacteria, curriculum curricula, memorandum memoranda, stratum strata, spectrum spectra,
    formula formulae, antenna antennae, larva larvae, vertebra vertebrae, corpus corpora, genus genera,
    bite bit bitten, bend bent, break broke broken, build built, buy bought, catch caught, choose chose chosen, deal dealt, draw drew drawn,
    drink drank drunk, drive drove driven, eat ate eaten, feed fed, fight fought, fly flew flown, forbid forbade forbidden,
    forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, grow grew grown, hide hid hidden, lend lent, lose lost,
    pay paid, ride rode ridden, sell sold, send sent, shake shook shaken, shrink shrank shrunk, sing sang sung, sink sank sunk,
    sleep slept, speak spoke spoken, spend spent, steal stole stolen, strike struck, swear swore sworn, swim swam swum,
    teach taught, throw threw thrown, understand understood, undertake undertook undertaken, wear wore worn, weave wove woven,
    win won, withdraw withdrew withdrawn, withhold withheld, write wrote written`,
  de: `
    firma firmen, museum museen, thema themen, konto konten, risiko risiken, kriterium kriterien, ministerium ministerien,
    zentrum zentren, medium medien, gymnasium gymnasien, laboratorium laboratorien, lexikon lexika, praktikum praktika,
    visum visa, index indizes indices, matrix matrizen, thesis thesen, basis basen, prinzip prinzipien, material materialien`,
  nl: `
    kind kinderen kinders, stad steden, ei eieren, lid leden, schip schepen, rund runderen, lied liederen, blad bladeren,
    smid smeden, museum musea`,
  fr: "travail travaux, œil yeux, bijou bijoux, bail baux, émail émaux, vitrail vitraux, corail coraux, genou genoux, caillou cailloux, chou choux",
  it: "uomo uomini, uovo uova, dito dita, braccio braccia, bue buoi, tempio templi",
  sv: `
    bok böcker böckerna böckers böckernas, fot fötter fötterna, natt nätter nätterna, hand händer händerna, stad städer städerna,
    tand tänder tänderna, man män männen, bonde bönder bönderna, dotter döttrar döttrarna, broder bröder bröderna,
    mor mödrar mödrarna, son söner sönerna`,
  da: `
    barn børn børnene børnenes børns, bog bøger bøgerne, fod fødder fødderne, hånd hænder hænderne, mand mænd mændene,
    nat nætter nætterne, tand tænder tænderne, bonde bønder bønderne, øje øjne øjnene, broder brødre,
    datter døtre, søn sønner`,
  no: `
    bok bøker bøkene bøkenes, fot føtter føttene, mann menn mennene, natt netter nettene, tann tenner tennene, bonde bønder bøndene,
    øye øyne øynene, datter døtre, bror brødre, barn barna, by byene`,
  fi: "vesi veden vettä vedet vedessä vesiä vesien, käsi käden kättä kädet kädessä käsiä käsien, vuosi vuoden vuotta vuodet vuosia vuosien vuosina",
  ro: "copil copii copiii copiilor, om oameni oamenii oamenilor, soră surori, noră nurori",
  ru: `
    человек люди людей людям людьми людях, ребенок дети детей детям детьми детях, год лет, друг друзья друзей друзьям друзьями друзьях,
    сын сыновья сыновей, брат братья братьев, мать матери матерей, дочь дочери дочерей, время времени времена времен,
    имя имени имена имен, день дня дни дней`,
  uk: `
    людина люди людей людям людьми людях, дитина діти дітей дітям дітьми дітях, друг друзі друзів друзям, день дня дні днів,
    кінь коня коні`,
  bg: "човек хора хората, дете деца децата, ден дни дните, брат братя братята",
  he: "איש אנשים, אישה נשים אשה, בית בתים, עיר ערים, בת בנות, בן בנים, אח אחים, שנה שנים, יום ימים"
}

/** Their first words by language and form. */
export const irregular: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(lists).map(([language, list]) => [
    language,
    new Map(
      list.split(",").flatMap((row) => {
        const [word = "", ...forms] = row.trim().split(/\s+/u)
        return forms.map((form) => [form, word] as const)
      })
    )
  ])
)
