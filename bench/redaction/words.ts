/**
 * Names and places of the labelled set, written by hand for it. The halves share none, and the rules never saw these lists.
 */
import type { Language } from "./templates.ts"

export interface Words {
  readonly first: ReadonlyArray<string>
  readonly last: ReadonlyArray<string>
  readonly city: ReadonlyArray<string>
  readonly street: ReadonlyArray<string>
  readonly organisation: ReadonlyArray<string>
}

const list = (text: string): ReadonlyArray<string> => text.split("|")

const words = (first: string, last: string, city: string, street: string, organisation: string): Words => ({
  first: list(first),
  last: list(last),
  city: list(city),
  street: list(street),
  organisation: list(organisation)
})

export const development: Readonly<Record<Language, Words>> = {
  en: words(
    "Margaret|Oliver|Priya|Desmond|Caitlin|Rashid|Theodore|Wendy",
    "Holloway|Okafor|Pemberton|Sullivan|Nakamura|Whitfield|Bannerjee|Cross",
    "Leicester|Sacramento|Milwaukee|Plymouth|Dundee|Tucson",
    "Maple Street|Kingsway Road|Orchard Lane|Victoria Avenue|Sunset Boulevard",
    "Northgate Medical Group|Black Forest Bakery Ltd|Washington Instruments"
  ),
  de: words(
    "Friederike|Jürgen|Anneliese|Torben|Heike|Murat|Leopold|Svenja",
    "Brinkmann|Schäfer|Özdemir|Wolfgruber|Kleinschmidt|Vogt|Steinhauer|Rausch",
    "Bielefeld|Regensburg|Chemnitz|Graz|Osnabrück|Winterthur",
    "Lindenstraße|Am Mühlbach|Goethestr.|Bahnhofsplatz|Buchenweg",
    "Nordlicht Hausverwaltung GmbH|Bergmann Optik AG|Klinikum am Park"
  ),
  fr: words(
    "Geneviève|Thibault|Aurélie|Mamadou|Solange|Bastien|Odile|Youssef",
    "Lefebvre|Beaumont|Diallo|Marchand|Carpentier|Vasseur|Benali|Rousselot",
    "Grenoble|Clermont-Ferrand|Quimper|Namur|Limoges|Perpignan",
    "rue des Lilas|avenue Victor Hugo|boulevard de la Liberté|place du Marché|chemin des Vignes",
    "Société Boréale|Clinique des Ormes|Éditions Petit Jour"
  ),
  es: words(
    "Guadalupe|Íñigo|Remedios|Joaquín|Nuria|Ezequiel|Macarena|Rodrigo",
    "Villanueva|Echeverría|Peñalver|Cordero|Montesinos|Zamorano|Benítez|Arroyo",
    "Valladolid|Cartagena|Guadalajara|Rosario|Pamplona|Albacete",
    "calle de la Amargura|avenida de la Constitución|plaza Mayor|paseo del Prado|calle Serrano",
    "Talleres Horizonte S.L.|Clínica San Telmo|Editorial Río Verde"
  ),
  it: words(
    "Ludovica|Gianfranco|Ornella|Raffaele|Benedetta|Ivano|Loredana|Tommaso",
    "Bellini|De Santis|Fornaciari|Zanetti|Quattrocchi|Mancuso|Pellegrino|Serra",
    "Bergamo|Catanzaro|Ravenna|Pescara|Trento|Sassari",
    "via Garibaldi|viale dei Tigli|piazza San Marco|corso Vittorio Emanuele|via delle Rose",
    "Officine Adriatiche S.r.l.|Studio Blu|Casa Editrice Aurora"
  ),
  nl: words(
    "Marijke|Joost|Annemieke|Wouter|Femke|Hendrik|Saskia|Bram",
    "van der Meer|Hoekstra|de Wit|Timmermans|Verhoeven|Brouwer|Kuipers|ter Horst",
    "Apeldoorn|Leeuwarden|Mechelen|Zwolle|Hasselt|Deventer",
    "Kerkstraat|Beukenlaan|Prinsengracht|Stationsplein|Molenweg",
    "Stichting Waterland|Zonnebloem Zorg BV|Uitgeverij Noord"
  )
}

export const heldOut: Readonly<Record<Language, Words>> = {
  en: words(
    "Eleanor|Marcus|Anjali|Gregory|Siobhan|Tariq|Bernard|Louise",
    "Ashworth|Mbeki|Fitzgerald|Kowalski|Harrington|Chaudhry|Lockwood|Stone",
    "Sheffield|Albuquerque|Baltimore|Norwich|Aberdeen|Spokane",
    "Elm Street|Station Road|Willow Drive|Park Avenue|Churchill Close",
    "Southbank Dental Care|Silver Birch Foods Ltd|Lincoln Devices"
  ),
  de: words(
    "Gudrun|Matthias|Rosemarie|Henning|Birgit|Emre|Konstantin|Wiebke",
    "Hartmann|Köhler|Yıldırım|Obermaier|Lindemann|Krause|Feldhaus|Winter",
    "Mannheim|Paderborn|Erfurt|Innsbruck|Wolfsburg|Luzern",
    "Kastanienallee|Schillerstraße|Hauptstr.|Marktplatz|Rosenweg",
    "Südstern Immobilien GmbH|Falke Technik AG|Haus am See"
  ),
  fr: words(
    "Véronique|Gaëtan|Delphine|Ousmane|Bernadette|Romain|Colette|Karim",
    "Girard|Delacroix|Traoré|Fontaine|Charpentier|Lemoine|Haddad|Perrin",
    "Besançon|Saint-Étienne|Angers|Liège|Avignon|Mulhouse",
    "rue de la République|avenue Jean Jaurès|impasse du Moulin|place de l'Église|quai des Brumes",
    "Compagnie du Littoral|Cabinet des Tilleuls|Librairie Grand Large"
  ),
  es: words(
    "Inmaculada|Gonzalo|Asunción|Álvaro|Lourdes|Fermín|Rocío|Emiliano",
    "Castellanos|Ibáñez|Quintero|Salvatierra|Olivares|Bermúdez|Aguirre|Llorente",
    "Salamanca|Murcia|Córdoba|Medellín|Santander|Badajoz",
    "calle Mayor|avenida del Puerto|plaza de España|paseo de Gracia|calle de Alcalá",
    "Motores Levante S.A.|Farmacia Central|Papelería Luna"
  ),
  it: words(
    "Giuseppina|Ettore|Mirella|Salvatore|Chiara|Nunzio|Antonella|Leonardo",
    "Marchetti|Di Giacomo|Rinaldi|Caputo|Bianchini|Ferrante|Lombardi|Villa",
    "Perugia|Verona|Cosenza|Livorno|Udine|Salerno",
    "via Mazzini|viale Europa|piazza della Repubblica|corso Italia|via dei Mille",
    "Ceramiche del Sole S.p.A.|Studio Verde|Libreria Minerva"
  ),
  nl: words(
    "Liesbeth|Sander|Willemijn|Ruben|Ingrid|Cornelis|Anouk|Thijs",
    "van den Berg|Dijkstra|de Groot|Willems|Claessens|Smit|Postma|van Dam",
    "Eindhoven|Groningen|Brugge|Amersfoort|Leuven|Arnhem",
    "Dorpsstraat|Eikenlaan|Herengracht|Marktplein|Schoolweg",
    "Vereniging De Brug|Tulp Techniek BV|Boekhandel Zuid"
  )
}
