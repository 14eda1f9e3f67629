/**
 * The texts of the labelled set, one for each language and shape. `{{BUCKET.kind}}` is a labelled value, `{{trap.kind}}` a value that
 * looks like one and is none. A number after the kind (`{{PERSON.full1}}`) repeats the same value.
 */

export const languages = ["en", "de", "fr", "es", "it", "nl"] as const

export type Language = (typeof languages)[number]

export const shapes = ["letter", "mail", "table", "form", "csv", "log", "config", "html"] as const

export type Shape = (typeof shapes)[number]

/** Half of a template: chosen before any rule was written. Each half has four shapes of each language and three languages of each shape. */
export const half = (language: Language, shape: Shape): "development" | "heldOut" =>
  (languages.indexOf(language) + shapes.indexOf(shape)) % 2 === 0 ? "development" : "heldOut"

export const templates: Readonly<Record<Language, Readonly<Record<Shape, string>>>> = {
  en: {
    letter: `# Confirmation of your appointment

Dear Ms {{PERSON.last1}},

thank you for visiting our clinic in {{LOCATION.city}} on {{trap.date}}. Your new consultant, Dr. {{PERSON.full}}, will call you on {{PHONE.national}} next Tuesday.
We have sent the results to {{LOCATION.address}}. Please quote reference {{trap.order}} in every letter.

The copayment was charged to card {{FINANCIAL.card}}; the guide you asked for has ISBN {{trap.isbn}}.

Kind regards,
{{PERSON.full}}
{{trap.org}}
`,
    mail: `From: {{PERSON.full1}} <{{EMAIL.plain1}}>
To: {{EMAIL.plain}}
Subject: Re: release {{trap.version}}

Hi {{PERSON.first}},

the build for ticket {{trap.ticket}} is green. The staging password is {{SECRET.password}}, and the token for the registry is {{SECRET.github}}.
Ring me on {{PHONE.international}} if it fails again, commit {{trap.sha}}.

Best,
{{PERSON.full1}}
`,
    table: `| Employee | E-mail | Extension | City | Badge |
| --- | --- | --- | --- | --- |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.national}} | {{LOCATION.city}} | {{trap.badge}} |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.international}} | {{LOCATION.city}} | {{trap.badge}} |

Salary is paid to {{FINANCIAL.iban}}. Part number {{trap.part}} is out of stock.
`,
    form: `## Tenant information

- Full name: {{PERSON.full}}
- Date of birth: {{trap.date}}
- Social security number: {{FINANCIAL.national}}
- Mobile: {{PHONE.national}}
- E-mail: {{EMAIL.plain}}
- Current address: {{LOCATION.address}}
- Tracking number: {{trap.tracking}}
- Emergency contact: {{PERSON.full}}, {{PHONE.international}}
`,
    csv: `id,customer,mail,phone,street,iban,order
1,{{PERSON.full}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.street}},{{FINANCIAL.iban}},{{trap.order}}
2,{{PERSON.full}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.street}},{{FINANCIAL.iban}},{{trap.order}}
3,{{PERSON.full}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.street}},{{FINANCIAL.iban}},{{trap.order}}
`,
    log: `2026-03-04T10:11:12.345Z INFO  app/{{trap.version}} request {{trap.uuid}} started
2026-03-04T10:11:12.401Z DEBUG auth user={{EMAIL.plain}} session={{trap.uuid}}
2026-03-04T10:11:12.777Z ERROR upstream rejected Authorization: Bearer {{SECRET.jwt}}
2026-03-04T10:11:13.003Z WARN  sms to {{PHONE.international}} failed after 1500 ms, job {{trap.order}}
2026-03-04T10:11:13.120Z INFO  AWS_SECRET_ACCESS_KEY={{SECRET.opaque}} loaded from /etc/env
2026-03-04T10:11:13.500Z INFO  payment of 1299.00 USD with {{FINANCIAL.card}} declined
`,
    config: `service:
  name: billing
  version: {{trap.version}}
  image: registry.local/billing@sha256:{{trap.sha256}}
  admin: {{EMAIL.plain}}
  database_url: postgres://billing:{{SECRET.password}}@db.internal:5432/billing
  stripe_key: {{SECRET.stripe}}
  slack_token: {{SECRET.slack}}
  api_key: "{{SECRET.opaque}}"
  build: {{trap.build}}
  on_call: "{{PERSON.full}}, {{PHONE.international}}"
`,
    html: `<!doctype html><html><head><title>Our team</title></head><body><main><h1>Our team</h1>
<p><b>{{PERSON.full}}</b> leads the office in {{LOCATION.city}}. Write to <a href="mailto:{{EMAIL.plain1}}">{{EMAIL.plain1}}</a> or call {{PHONE.national}}.</p>
<p>Visitors are welcome at {{LOCATION.street}}, third floor. Model {{trap.part}}, firmware {{trap.version}}.</p>
<p>Donations: IBAN {{FINANCIAL.iban}}. Treasurer: {{PERSON.full}}.</p></main></body></html>
`
  },
  de: {
    letter: `# Mietvertrag

Zwischen Herrn {{PERSON.full}}, wohnhaft {{LOCATION.address}}, und Frau {{PERSON.full1}} wird folgender Vertrag geschlossen.

Die Miete ist bis zum dritten Werktag auf das Konto {{FINANCIAL.iban}} zu zahlen. Frau {{PERSON.last}} ist unter {{PHONE.national}} zu erreichen.
Die Wohnung liegt in {{LOCATION.city}}. Vertragsnummer {{trap.order}}, Stand {{trap.date}}.

Der Vermieter empfiehlt den Ratgeber mit der ISBN {{trap.isbn}}.
`,
    mail: `Von: {{PERSON.full1}} <{{EMAIL.plain}}>
An: {{EMAIL.plain}}
Betreff: Zugang zum Portal

Hallo {{PERSON.first}},

dein Zugang ist angelegt. Passwort: {{SECRET.password}}
Bitte ruf kurz durch ({{PHONE.international}}), wenn Version {{trap.version}} nicht startet. Ticket {{trap.ticket}}.

Viele Grüße
{{PERSON.full1}}
{{LOCATION.address}}
`,
    table: `| Name | Telefon | Wohnort | Steuer-ID | Kundennr. |
|---|---|---|---|---|
| {{PERSON.full}} | {{PHONE.national}} | {{LOCATION.city}} | {{FINANCIAL.national}} | {{trap.order}} |
| {{PERSON.full}} | {{PHONE.international}} | {{LOCATION.city}} | {{FINANCIAL.national}} | {{trap.order}} |

Rückfragen an {{EMAIL.plain}}, Artikel {{trap.part}}.
`,
    form: `**Vorname und Name:** {{PERSON.full}}

**Anschrift:** {{LOCATION.address}}

**Telefon:** {{PHONE.national}}

**E-Mail:** {{EMAIL.plain}}

**IBAN:** {{FINANCIAL.iban}}

**Kreditkarte:** {{FINANCIAL.card}}

**Sendungsnummer:** {{trap.tracking}}

**Ansprechpartner:** {{PERSON.full}}
`,
    csv: `Nr;Vorname;Nachname;Ort;Telefon;E-Mail;Konto;Rechnung
1;{{PERSON.first}};{{PERSON.last}};{{LOCATION.postcodeCity}};{{PHONE.national}};{{EMAIL.plain}};{{FINANCIAL.iban}};{{trap.order}}
2;{{PERSON.first}};{{PERSON.last}};{{LOCATION.postcodeCity}};{{PHONE.national}};{{EMAIL.plain}};{{FINANCIAL.iban}};{{trap.order}}
`,
    log: `04.03.2026 10:11:12 [INFO] Anmeldung von {{EMAIL.plain}}, Vorgang {{trap.uuid}}
04.03.2026 10:11:13 [FEHLER] SMS an {{PHONE.international}} nicht zugestellt, Auftrag {{trap.order}}
04.03.2026 10:11:14 [DEBUG] api_key={{SECRET.opaque}} geladen, Revision {{trap.sha}}
04.03.2026 10:11:15 [INFO] Lastschrift von {{FINANCIAL.iban}} über 89,90 EUR
04.03.2026 10:11:16 [INFO] Schlüssel {{SECRET.aws}} rotiert, Version {{trap.version}}
`,
    config: `# Zugangsdaten
SMTP_USER={{EMAIL.plain}}
SMTP_PASSWORD={{SECRET.password}}
GITHUB_TOKEN={{SECRET.github}}
OPENAI_API_KEY={{SECRET.openai}}
BUILD_ID={{trap.build}}
COMMIT={{trap.sha}}
KONTAKT="{{PERSON.full}}"
HOTLINE={{PHONE.international}}
`,
    html: `<html><body><main><h1>Impressum</h1><p>Angaben gemäß § 5 DDG</p>
<p>{{PERSON.full}}<br>{{LOCATION.street}}<br>{{LOCATION.postcodeCity}}</p>
<p>Telefon: <a href="tel:+49000">{{PHONE.national}}</a><br>E-Mail: {{EMAIL.plain}}</p>
<p>Vertreten durch: {{PERSON.full}}. Bankverbindung: {{FINANCIAL.iban}}. Artikelnummer {{trap.ean}}.</p></main></body></html>
`
  },
  fr: {
    letter: `# Attestation

Je soussigné, Monsieur {{PERSON.full}}, demeurant {{LOCATION.address}}, atteste héberger Madame {{PERSON.full}} depuis le {{trap.date}}.

Elle peut être jointe au {{PHONE.national}}. Le loyer est viré depuis le compte {{FINANCIAL.iban}}.

Fait à {{LOCATION.city}}. Dossier n° {{trap.order}}, formulaire version {{trap.version}}.
`,
    mail: `De : {{PERSON.full1}} <{{EMAIL.plain}}>
À : {{EMAIL.plain}}
Objet : Mot de passe du portail

Bonjour {{PERSON.first}},

votre mot de passe : {{SECRET.password}}
La clé du service est {{SECRET.stripe}}. En cas de souci, appelez le {{PHONE.international}} (dossier {{trap.ticket}}).

Cordialement,
{{PERSON.full1}}
`,
    table: `| Nom | Courriel | Téléphone | Ville | Référence |
| :-- | :-- | :-- | :-- | --: |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.national}} | {{LOCATION.city}} | {{trap.badge}} |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.national}} | {{LOCATION.city}} | {{trap.badge}} |

Remboursement sur {{FINANCIAL.iban}}, ouvrage {{trap.isbn}}.
`,
    form: `Nom et prénom : {{PERSON.full}}
Adresse : {{LOCATION.address}}
Numéro de sécurité sociale : {{FINANCIAL.national}}
Téléphone : {{PHONE.national}}
Courriel : {{EMAIL.plain}}
Numéro de suivi : {{trap.tracking}}
Carte bancaire : {{FINANCIAL.card}}
Personne à prévenir : {{PERSON.full}}
`,
    csv: `client;courriel;telephone;adresse;iban;commande
{{PERSON.full}};{{EMAIL.plain}};{{PHONE.national}};{{LOCATION.address}};{{FINANCIAL.iban}};{{trap.order}}
{{PERSON.full}};{{EMAIL.plain}};{{PHONE.international}};{{LOCATION.address}};{{FINANCIAL.iban}};{{trap.order}}
`,
    log: `[04/03/2026 10:11:12] connexion de {{EMAIL.plain}} (requête {{trap.uuid}})
[04/03/2026 10:11:13] SMS envoyé au {{PHONE.international}}, commande {{trap.order}}
[04/03/2026 10:11:14] jeton {{SECRET.jwt}} expiré
[04/03/2026 10:11:15] secret={{SECRET.opaque}} version {{trap.version}}
[04/03/2026 10:11:16] paiement par carte {{FINANCIAL.card}} refusé
`,
    config: `{
  "application": "facturation",
  "version": "{{trap.version}}",
  "responsable": "{{PERSON.full}}",
  "contact": "{{EMAIL.plain}}",
  "telephone": "{{PHONE.international}}",
  "mot_de_passe": "{{SECRET.password}}",
  "jeton_slack": "{{SECRET.slack}}",
  "cle_aws": "{{SECRET.aws}}",
  "empreinte": "{{trap.sha256}}"
}
`,
    html: `<html lang="fr"><body><article><h2>Nous contacter</h2>
<p>Directrice : <strong>{{PERSON.full}}</strong></p>
<address>{{LOCATION.street}}<br/>{{LOCATION.postcodeCity}}</address>
<p>Tél. {{PHONE.national}} &ndash; <a href="mailto:{{EMAIL.plain1}}">{{EMAIL.plain1}}</a></p>
<p>Pour vos dons : {{FINANCIAL.iban}}. Produit {{trap.ean}}, lot {{trap.build}}.</p></article></body></html>
`
  },
  es: {
    letter: `# Contrato de arrendamiento

En {{LOCATION.city}}, a {{trap.date}}, don {{PERSON.full}}, con DNI {{FINANCIAL.national}} y domicilio en {{LOCATION.address}}, arrienda a doña {{PERSON.full}} la vivienda.

La renta se ingresará en la cuenta {{FINANCIAL.iban}}. Teléfono de contacto: {{PHONE.national}}. Expediente {{trap.order}}.
`,
    mail: `De: {{PERSON.full1}} <{{EMAIL.plain}}>
Para: {{EMAIL.plain}}
Asunto: Acceso a la versión {{trap.version}}

Hola {{PERSON.first}}:

tu contraseña es {{SECRET.password}} y la clave de la API es {{SECRET.openai}}.
Llámame al {{PHONE.international}} si algo falla (incidencia {{trap.ticket}}).

Un saludo,
{{PERSON.full1}}
`,
    table: `| Empleado | Correo | Móvil | Ciudad | Código |
| --- | --- | --- | --- | --- |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.national}} | {{LOCATION.city}} | {{trap.badge}} |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.national}} | {{LOCATION.city}} | {{trap.badge}} |

Nómina abonada en {{FINANCIAL.iban}}. Pieza {{trap.part}} agotada.
`,
    form: `Nombre y apellidos: {{PERSON.full}}
DNI: {{FINANCIAL.national}}
Domicilio: {{LOCATION.address}}
Teléfono móvil: {{PHONE.national}}
Correo electrónico: {{EMAIL.plain}}
Número de tarjeta: {{FINANCIAL.card}}
Número de seguimiento: {{trap.tracking}}
Contacto de urgencia: {{PERSON.full}} ({{PHONE.international}})
`,
    csv: `nombre,apellidos,email,telefono,ciudad,iban,pedido
{{PERSON.first}},{{PERSON.last}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.city}},{{FINANCIAL.iban}},{{trap.order}}
{{PERSON.first}},{{PERSON.last}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.city}},{{FINANCIAL.iban}},{{trap.order}}
`,
    log: `2026-03-04 10:11:12 INFO acceso de {{EMAIL.plain}} sesión {{trap.uuid}}
2026-03-04 10:11:13 AVISO SMS a {{PHONE.international}} sin entregar, pedido {{trap.order}}
2026-03-04 10:11:14 DEPURAR token={{SECRET.github}} revisión {{trap.sha}}
2026-03-04 10:11:15 INFO cargo de 120,50 EUR en {{FINANCIAL.card}}
2026-03-04 10:11:16 INFO clave {{SECRET.aws}} y secreto aws_secret={{SECRET.opaque}} renovados, {{trap.version}}
`,
    config: `[correo]
usuario = {{EMAIL.plain}}
contraseña = {{SECRET.password}}
[pagos]
stripe = {{SECRET.stripe}}
[avisos]
slack = {{SECRET.slack}}
responsable = {{PERSON.full}}
telefono = {{PHONE.international}}
version = {{trap.version}}
imagen = sha256:{{trap.sha256}}
`,
    html: `<html><body><main><h1>Quiénes somos</h1>
<p>La fundadora, <em>{{PERSON.full}}</em>, vive en {{LOCATION.city}}.</p>
<ul><li>Oficina: {{LOCATION.address}}</li><li>Teléfono: {{PHONE.national}}</li><li>Correo: {{EMAIL.plain}}</li></ul>
<p>Cuenta: {{FINANCIAL.iban}}. Libro {{trap.isbn}}, modelo {{trap.part}}.</p></main></body></html>
`
  },
  it: {
    letter: `# Delega

Il sottoscritto Sig. {{PERSON.full}}, codice fiscale {{FINANCIAL.national}}, residente in {{LOCATION.address}}, delega la Sig.ra {{PERSON.full}} al ritiro del pacco {{trap.tracking}}.

Per informazioni: {{PHONE.national}}. Il rimborso va accreditato su {{FINANCIAL.iban}}.

{{LOCATION.city}}, {{trap.date}}
`,
    mail: `Da: {{PERSON.full1}} <{{EMAIL.plain}}>
A: {{EMAIL.plain}}
Oggetto: Credenziali, versione {{trap.version}}

Ciao {{PERSON.first}},

la password è {{SECRET.password}} e il token è {{SECRET.slack}}.
Chiamami al {{PHONE.international}} per la pratica {{trap.ticket}}.

Cordiali saluti,
{{PERSON.full1}}
`,
    table: `| Dipendente | Cellulare | Città | Codice fiscale | Ordine |
|:--|:--|:--|:--|--:|
| {{PERSON.full}} | {{PHONE.national}} | {{LOCATION.city}} | {{FINANCIAL.national}} | {{trap.order}} |
| {{PERSON.full}} | {{PHONE.national}} | {{LOCATION.city}} | {{FINANCIAL.national}} | {{trap.order}} |

Scrivere a {{EMAIL.plain}}; articolo {{trap.part}}.
`,
    form: `* Nome e cognome: {{PERSON.full}}
* Indirizzo: {{LOCATION.address}}
* Cellulare: {{PHONE.national}}
* E-mail: {{EMAIL.plain}}
* IBAN: {{FINANCIAL.iban}}
* Carta di credito: {{FINANCIAL.card}}
* Numero di spedizione: {{trap.tracking}}
* Referente: {{PERSON.full}}
`,
    csv: `cliente;email;telefono;indirizzo;iban;ordine
{{PERSON.full}};{{EMAIL.plain}};{{PHONE.national}};{{LOCATION.street}};{{FINANCIAL.iban}};{{trap.order}}
{{PERSON.full}};{{EMAIL.plain}};{{PHONE.international}};{{LOCATION.street}};{{FINANCIAL.iban}};{{trap.order}}
`,
    log: `04-03-2026 10:11:12 accesso di {{EMAIL.plain}}, richiesta {{trap.uuid}}
04-03-2026 10:11:13 SMS a {{PHONE.international}} non consegnato, ordine {{trap.order}}
04-03-2026 10:11:14 Authorization: Bearer {{SECRET.jwt}}
04-03-2026 10:11:15 client_secret={{SECRET.opaque}} versione {{trap.version}}
04-03-2026 10:11:16 addebito su {{FINANCIAL.iban}} eseguito, commit {{trap.sha}}
`,
    config: `export DB_PASSWORD='{{SECRET.password}}'
export OPENAI_API_KEY='{{SECRET.openai}}'
export GITHUB_TOKEN='{{SECRET.github}}'
export AWS_ACCESS_KEY_ID='{{SECRET.aws}}'
export REFERENTE='{{PERSON.full}}'
export REFERENTE_EMAIL='{{EMAIL.plain}}'
export REFERENTE_TEL='{{PHONE.international}}'
export APP_VERSION='{{trap.version}}'
export BUILD_ID='{{trap.build}}'
`,
    html: `<html><body><div><h3>Lo studio</h3>
<p>Avv. {{PERSON.full}} riceve in {{LOCATION.street}}, {{LOCATION.postcodeCity}}.</p>
<p>Tel: {{PHONE.national}}, email: <a href="mailto:{{EMAIL.plain1}}">{{EMAIL.plain1}}</a></p>
<p>Coordinate bancarie: {{FINANCIAL.iban}}. Codice prodotto {{trap.ean}}; libro {{trap.isbn}}.</p></div></body></html>
`
  },
  nl: {
    letter: `# Huurovereenkomst

De heer {{PERSON.full}}, wonende te {{LOCATION.address}}, verhuurt aan mevrouw {{PERSON.full}} de woning in {{LOCATION.city}}.

De huur wordt betaald op rekening {{FINANCIAL.iban}}. Bel bij vragen {{PHONE.national}}. Contractnummer {{trap.order}}, datum {{trap.date}}.
`,
    mail: `Van: {{PERSON.full1}} <{{EMAIL.plain}}>
Aan: {{EMAIL.plain}}
Onderwerp: Toegang tot versie {{trap.version}}

Beste {{PERSON.first}},

je wachtwoord is {{SECRET.password}} en de API-sleutel is {{SECRET.stripe}}.
Bel me op {{PHONE.international}} over melding {{trap.ticket}}.

Met vriendelijke groet,
{{PERSON.full1}}
`,
    table: `| Medewerker | E-mail | Telefoon | Woonplaats | Pas |
| --- | --- | --- | --- | --- |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.national}} | {{LOCATION.city}} | {{trap.badge}} |
| {{PERSON.full}} | {{EMAIL.plain}} | {{PHONE.international}} | {{LOCATION.city}} | {{trap.badge}} |

Salaris op {{FINANCIAL.iban}}. Onderdeel {{trap.part}} is besteld.
`,
    form: `Naam: {{PERSON.full}}
BSN: {{FINANCIAL.national}}
Adres: {{LOCATION.address}}
Telefoonnummer: {{PHONE.national}}
E-mailadres: {{EMAIL.plain}}
Creditcard: {{FINANCIAL.card}}
Trackingnummer: {{trap.tracking}}
Contactpersoon: {{PERSON.full}}
`,
    csv: `voornaam,achternaam,email,telefoon,plaats,iban,bestelling
{{PERSON.first}},{{PERSON.last}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.city}},{{FINANCIAL.iban}},{{trap.order}}
{{PERSON.first}},{{PERSON.last}},{{EMAIL.plain}},{{PHONE.national}},{{LOCATION.city}},{{FINANCIAL.iban}},{{trap.order}}
`,
    log: `04-03-2026 10:11:12 aanmelding {{EMAIL.plain}} verzoek {{trap.uuid}}
04-03-2026 10:11:13 SMS naar {{PHONE.international}} mislukt, bestelling {{trap.order}}
04-03-2026 10:11:14 access_token={{SECRET.github}} verlopen
04-03-2026 10:11:15 betaling met {{FINANCIAL.card}} geweigerd, versie {{trap.version}}
04-03-2026 10:11:16 secret_key: {{SECRET.opaque}} herladen, revisie {{trap.sha}}
`,
    config: `smtp:
  gebruiker: {{EMAIL.plain}}
  wachtwoord: {{SECRET.password}}
aws:
  access_key_id: {{SECRET.aws}}
  secret_access_key: {{SECRET.opaque}}
openai: {{SECRET.openai}}
contact:
  naam: {{PERSON.full}}
  telefoon: {{PHONE.international}}
versie: {{trap.version}}
build: {{trap.build}}
`,
    html: `<html><body><section><h2>Contact</h2>
<p>Neem contact op met {{PERSON.full}}, wethouder van {{LOCATION.city}}.</p>
<p>Bezoekadres: {{LOCATION.address}}</p>
<p>Telefoon {{PHONE.national}}, e-mail {{EMAIL.plain}}, rekening {{FINANCIAL.iban}}.</p>
<p>Artikel {{trap.ean}}, ISBN {{trap.isbn}}.</p></section></body></html>
`
  }
}
