/** Common first names of some European languages that the other list lacks, written by hand. */

/** Separated by `|` or a line feed, in the order of code units. */
export const commonNames = `Ainhoa|Aitor|Alfie|Anke|Annelies|Antje|Ayşe|Begoña|Bärbel|Carsten|Clive|Detlef|Dörte|Elke|Els|Encarnación|Gareth|Geert|Ghislaine|Greet
Günter|Günther|Hartmut|Hatice|Heike|Henk|Hilde|Holger|Itziar|Iñaki|Jeroen|Jutta|Jürgen|Karsten|Katrien|Leire|Maite|Margaretha|Martijn|Mireia
Montserrat|Nieves|Petronella|Rik|Thorsten|Uwe|Volker|Wim|Wolfram|Íñigo`
