import { type Language, lines, list, terms } from "./language.ts"

export const german: Language = {
  code: "de",
  script: "latin",
  rtl: false,
  space: " ",
  nouns: list(`
    Hafen Bericht Brücke Wiese Laterne Kupfer Tal Archiv Faden Fenster Motor Gletscher Markt Gipfel Strom Anker Garten Insel Spiegel Nadel
    Paket Ausschuss Bezirk Schätzung Untersuchung Reise Labor Maschine Netz Betreiber Druck Frage Verzeichnis Zeitplan Temperatur Gefäß Lager
    Vereinbarung Haushalt Lieferung Beleg Vorhersage Annahme Messgerät Bibliothek Verfahren Pflicht Speicher Oberfläche Spannung Wasserstraße
    Rechnungsprüfung Übertragungsleitung Genehmigungsverfahren Straßenverkehrsordnung`),
  verbs: list(`
    misst erreicht deckt beschreibt begrenzt verbindet trägt erklärt verbessert schützt verringert sammelt vergleicht regelt liefert prüft
    umfasst beobachtet erfasst trennt ändert bestätigt übersteigt ersetzt`),
  adjectives: list(`
    schmal öffentlich früh nördlich verlässlich örtlich breit mäßig jährlich sorgfältig gemeinsam direkt ganz förmlich verborgen flüssig
    neutral offen teilweise ruhig schnell städtisch sichtbar dauerhaft`),
  names: lines(`
    Anna Lindner
    Jürgen Weiß
    Käthe Vogelsang
    Matthias Groß
    Ulrike Sönksen`),
  sentences: lines(`
    Der {n} {v} die {n}, obwohl der {n} {a} ist.
    Im Jahr {0} {v} jeder {n} mindestens {0} Prozent der {n}.
    Was die {n} {v}, {v} auch der {n}.
    Nach {N} ist die {n} so {a} wie die {n}, und der {n} {v} beide.
    Wenn eine {n} die {n} {v}, dann {v} der {n} den Rest bis zum Ende der {n}.
    Weder {n} noch {n} {v} die {n}, die {a} und {a} ist.
    Die {n} (siehe {n} oben) {v} den {n} innerhalb von {0} Tagen.
    Dass der {n} {a} bleibt, {v} die {n} nur zum Teil.
    Für den {n} gilt: Die {n} {v} nie mehr als {0} Teile.`),
  headings: lines(`
    {n} und {n}
    Die {n} der {n}
    {n} im {n}
    {n}
    Wie die {n} den {n} {v}
    Zur {n} von {n} und {n}
    {n} statt {n}`),
  terms: terms(
    "Abbildung|Tabelle|Inhalt|Kapitel|Zusammenfassung|Anmerkungen|Seite|Summe|Datum|Nummer|Name|Betrag|Anschrift|Sehr geehrte|Mit freundlichen Grüßen|Rechnung|Literatur"
  )
}
