import { type Language, lines, list, terms } from "./language.ts"

export const french: Language = {
  code: "fr",
  script: "latin",
  rtl: false,
  space: " ",
  nouns: list(`
    rapport pont marché sommet jardin miroir port dépôt réseau vallée lanterne fenêtre moteur glacier courant tissu royaume verger
    comité quartier mesure enquête voyage laboratoire appareil pression question registre calendrier température récipient entrepôt accord budget
    catalogue livraison preuve prévision hypothèse instrument bibliothèque procédé obligation quotient réservoir surface théorie tension chaîne`),
  verbs: list(`
    mesure atteint couvre décrit limite relie porte explique améliore protège réduit rassemble compare règle fournit examine comprend
    observe enregistre sépare transforme vérifie dépasse remplace`),
  adjectives: list(`
    étroit public précoce local fiable récent large modeste annuel commun direct entier formel caché liquide neutre ouvert partiel calme
    rapide distinct technique urbain visible durable`),
  names: lines(`
    Élodie Marchand
    François Lefèvre
    Hélène Dubois
    Gaspard Noël
    Zoé Béranger`),
  sentences: lines(`
    Le {n} {v} la {n} du {n}, bien que le {n} soit {a}.
    En {0}, chaque {n} {v} au moins {0} pour cent du {n}.
    D’après {N}, le {n} {a} {v} tout {n} de la région.
    Si le {n} {v} le {n}, alors le second {n} {v} le reste avant la fin du {n}.
    Ni le {n} ni le {n} ne {v} ce que le {n} {v}.
    Le {n} (voir le {n} ci-dessus) {v} le {n} {a} en {0} jours.
    C’est pourquoi un {n} {a} {v} son {n} : le {n} est {a}.
    Le plus souvent, un {n} {a} {v} le {n}, et le {n} {v} l’autre.
    Pourquoi le {n} {v}-il le {n} ? La réponse tient au {n}.`),
  headings: lines(`
    {n} et {n}
    Le {n} du {n}
    Un {n} {a}
    {n}
    Comment le {n} {v} le {n}
    Du {n} au {n}
    {n} {a} et {n} {a}`),
  terms: terms(
    "Figure|Tableau|Table des matières|Chapitre|Résumé|Notes|Page|Total|Date|Numéro|Nom|Montant|Adresse|Chère Madame|Veuillez agréer nos salutations distinguées,|Facture|Références"
  )
}
