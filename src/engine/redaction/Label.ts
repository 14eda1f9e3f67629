/** The words that name a field, in some languages, and the bucket of its value. */
import type { Entity } from "./Span.ts"

/** `sure` labels name nothing else; the value of another one must also look like one of the bucket. */
export interface Label {
  readonly entity: Entity
  readonly sure: boolean
  /** The words of the table: lower case, without accents. */
  readonly words: string
}

const words: ReadonlyArray<readonly [Entity, boolean, string]> = [
  [
    "PERSON",
    true,
    "full name|first name|last name|given name|family name|middle name|surname|forename|tenant|patient|employee|author|authors|creator|attendee|applicant|contact person|emergency contact|treasurer|account holder|cardholder|signed by|prepared by|reviewed by|approved by|last modified by|lastmodifiedby|manager|spouse|beneficiary|vorname|nachname|familienname|vorname und name|name und vorname|vor und nachname|mitarbeiter|mitarbeiterin|ansprechpartner|ansprechpartnerin|patientin|mieter|mieterin|vermieter|inhaber|kontoinhaber|verfasser|bearbeiter|sachbearbeiter|geschaftsfuhrer|nom et prenom|nom et prenoms|prenom|prenoms|nom de famille|personne a prevenir|employe|salarie|titulaire|interlocuteur|directrice|directeur|auteur|nombre y apellidos|apellidos|apellido|nombre completo|empleado|empleada|paciente|titular|contacto de urgencia|persona de contacto|autor|nome e cognome|cognome|dipendente|referente|intestatario|paziente|autore|voornaam|achternaam|medewerker|contactpersoon|patient|huurder|verhuurder|auteur|nome completo|sobrenome|apelido|funcionario|imie|nazwisko|imie i nazwisko|fornavn|etternavn|efternavn|fornamn|efternamn|etunimi|sukunimi|jmeno|prijmeni"
  ],
  [
    "PERSON",
    false,
    "name|customer|client|contact|from|to|cc|bcc|attn|attention|owner|sender|recipient|responsible|on call|member|user|kunde|kundin|kontakt|von|an|empfanger|absender|vertreten durch|nom|responsable|expediteur|destinataire|de|a|client|contact|nombre|cliente|para|remitente|destinatario|contacto|nome|da|mittente|contatto|naam|van|aan|klant|ontvanger|afzender|navn|namn|nazwa|klient"
  ],
  [
    "EMAIL",
    true,
    "e mail|email|mail|e mail address|email address|mailadresse|e mail adresse|courriel|adresse e mail|correo|correo electronico|posta elettronica|e mailadres|emailadres|smtp user"
  ],
  [
    "PHONE",
    true,
    "phone|telephone|tel|mobile|mobile phone|cell|cell phone|cellphone|phone number|telephone number|mobile number|fax|hotline|landline|whatsapp|extension|sms|call|ring|telefon|telefonnummer|handy|handynummer|mobil|mobilnummer|mobiltelefon|festnetz|rufnummer|fon|portable|numero de telephone|telephone portable|telefono|telefono movil|movil|celular|numero de telefono|cellulare|numero di telefono|recapito|telefoon|telefoonnummer|mobiel|mobiele nummer|gsm|telefone|telemovel|celular|komorka|tlf|telefonnumer|puhelin|telefonszam|numer telefonu"
  ],
  [
    "LOCATION",
    true,
    "address|street|street address|home address|postal address|current address|billing address|shipping address|city|town|place of birth|birthplace|hometown|residence|zip|zip code|postcode|postal code|anschrift|adresse|wohnort|ort|stadt|strasse|plz|wohnhaft|geburtsort|postleitzahl|ville|rue|code postal|domicile|lieu de naissance|direccion|domicilio|ciudad|calle|codigo postal|poblacion|localidad|lugar de nacimiento|indirizzo|citta|via|residenza|cap|comune|luogo di nascita|adres|woonplaats|plaats|straat|postcode|stad|geboorteplaats|bezoekadres|endereco|cidade|morada|adresy|miasto|ulica|by|ort och postnummer|oficina"
  ],
  [
    "FINANCIAL",
    true,
    "iban|account|account number|bank account|sort code|routing number|bic|swift|credit card|card|card number|credit card number|debit card|ssn|social security number|social security|tax id|tax number|tin|itin|national insurance number|national id|national id number|identity card|passport|passport number|konto|kontonummer|bankverbindung|kreditkarte|kreditkartennummer|steuer id|steuer idnr|steuernummer|steueridentifikationsnummer|sozialversicherungsnummer|personalausweis|personalausweisnummer|reisepass|ahv nummer|compte|numero de compte|carte bancaire|carte de credit|numero de carte|numero de securite sociale|securite sociale|rib|carte d identite|passeport|cuenta|numero de cuenta|tarjeta|tarjeta de credito|numero de tarjeta|dni|nie|nif|pasaporte|numero de la seguridad social|conto|numero di conto|conto corrente|carta di credito|numero di carta|codice fiscale|carta d identita|passaporto|coordinate bancarie|rekening|rekeningnummer|bankrekening|creditcard|creditcardnummer|bsn|burgerservicenummer|paspoort|cpf|pesel|nif|conta|cartao de credito|personnummer|cpr|fodselsnummer"
  ],
  [
    "SECRET",
    true,
    "password|passwd|pwd|pass|passphrase|passcode|pin|pin code|secret|client secret|shared secret|secret key|secret access key|api key|apikey|api secret|token|access token|auth token|refresh token|bearer token|access key|private key|signing key|encryption key|credential|credentials|connection string|passwort|kennwort|geheimnis|zugangscode|api schlussel|mot de passe|mdp|jeton|cle secrete|cle api|code secret|contrasena|clave secreta|secreto|clave de acceso|senha|password|parola d ordine|segreto|chiave segreta|wachtwoord|api sleutel|geheim|geheime sleutel|losenord|adgangskode|passord|salasana|haslo|heslo|jelszo"
  ],
  ["SECRET", false, "key|schlussel|cle|clave|llave|chiave|chave|sleutel"]
]

const table: ReadonlyMap<string, Label> = new Map(
  words
    .toReversed()
    .flatMap(([entity, sure, list]) =>
      list.split("|").map((words): [string, Label] => [words, { entity, sure, words }])
    )
)

const links = new Set("of for from der des von du de del della di van no nr number nummer".split(" "))

/** Lower case without accents; everything that is neither letter nor digit is one space. */
const folded = (text: string): string =>
  text
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim()

/**
 * The bucket that a label names: the whole of it (`mobile phone`), its end (`DB_PASSWORD`), or its beginning (`name of the tenant`).
 * Undefined when it names none. Looks at the last 60 characters.
 */
export const of = (text: string): Label | undefined => {
  const words = folded(text.slice(-60)).split(" ")
  for (let from = 0; from < words.length; from++) {
    const label = table.get(words.slice(from).join(" "))
    if (label !== undefined) return label
  }
  const [first = "", second = ""] = words
  return links.has(second) ? table.get(first) : undefined
}
