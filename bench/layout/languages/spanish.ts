import { type Language, lines, list, terms } from "./language.ts"

export const spanish: Language = {
  code: "es",
  script: "latin",
  rtl: false,
  space: " ",
  nouns: list(`
    informe puente mercado jardín puerto almacén archivo acuerdo presupuesto catálogo instrumento camino espejo valle ventana motor
    glaciar río taller comité barrio cálculo viaje laboratorio aparato registro calendario depósito pedido indicio pronóstico
    mecanismo cuaderno deber cociente método tejido huerto anillo límite nivel origen recurso volumen periódico señal niñez`),
  verbs: list(`
    mide alcanza cubre describe limita enlaza lleva explica mejora protege reduce reúne compara regula entrega examina incluye observa
    registra separa cambia verifica supera sustituye`),
  adjectives: list(`
    estrecho público temprano local fiable reciente amplio modesto anual común directo entero formal oculto líquido neutro abierto
    parcial rápido técnico urbano visible duradero`),
  names: lines(`
    Ana Belén Núñez
    Íñigo Peña
    Lucía Ibáñez
    Óscar Güell`),
  sentences: lines(`
    El {n} {a} {v} el {n}, aunque el {n} no lo {v} todo.
    En {0}, cada {n} {v} al menos el {0} por ciento del {n}.
    Según {N}, el {n} {v} todo {n} del {n} en {0} días.
    ¿Por qué el {n} {v} el {n}? La respuesta está en el {n} {a}.
    Ni el {n} ni el {n} {v} lo que {v} el {n}.
    Si un {n} {v} poco, otro {n} {a} {v} el resto antes del fin del {n}.
    El {n} (véase el {n} anterior) {v} el {n} {a} y el {n}.
    Así, un {n} {a} {v} su {n}: es el {n} lo que importa.`),
  headings: lines(`
    {n} y {n}
    El {n} del {n}
    Un {n} {a}
    {n}
    Cómo el {n} {v} el {n}
    Del {n} al {n}`),
  terms: terms(
    "Figura|Tabla|Índice|Capítulo|Resumen|Notas|Página|Total|Fecha|Número|Nombre|Importe|Dirección|Estimado|Atentamente,|Factura|Referencias"
  )
}
