import type { loginErrors } from '../gen/en/loginErrors.ts'
import type { refusals } from '../gen/en/refusals.ts'
import type { sendLabels } from '../gen/en/sendLabels.ts'
import type { thrown } from '../gen/en/thrown.ts'
import type { toasts } from '../gen/en/toasts.ts'
import type { walletTexts } from '../gen/en/walletTexts.ts'
import type { CoreCatalogues } from '../gen/types.ts'

/** The texts of core in English. They are passed in: if the chunks of languages imported them, the modal would be split into more chunks. */
export interface Catalogue {
  readonly toasts: typeof toasts
  readonly walletTexts: typeof walletTexts
  readonly sendLabels: typeof sendLabels
  readonly thrown: typeof thrown
  readonly loginErrors: typeof loginErrors
  readonly refusals: typeof refusals
  /** Writes an exact amount in a language. */
  readonly exactDecimal: (decimal: string, tag: string) => string
}

type Text = string | ((...values: string[]) => string)

/** The English form of a text with values in it, and the function that writes it in the other language. */
interface Pattern {
  readonly english: RegExp
  readonly translated: (...values: string[]) => string
}

/**
 * Returns a function that translates the toasts and errors of core, which are in English because the site's code reads
 * them. A text is found by its English form, also with values in it, whose amounts are formatted for the language.
 */
export function messagesOf(
  tag: string,
  messages: CoreCatalogues,
): (english: string, catalogue: Catalogue) => string {
  const texts = new Map<string, string>()
  const patterns: Pattern[] = []

  function add(english: object, translated: object) {
    for (const [key, text] of Object.entries(translated) as [string, Text | object][]) {
      const original = (english as Record<string, Text | object>)[key]
      if (typeof text === 'string') texts.set(original as string, text)
      else if (typeof text === 'object') add(original as object, text)
      else addPattern(original as (...values: string[]) => string, text as Pattern['translated'])
    }
  }

  function addPattern(english: (...values: string[]) => string, translated: Pattern['translated']) {
    const none = Array.from({ length: english.length }, () => '')
    texts.set(english(...none), translated(...none))
    // A value is marked by a character that no text has, and then matched by a group.
    const marked = english(...none.map((_, index) => String.fromCharCode(0xe000 + index)))
    const escaped = marked.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const source = escaped.replace(/[\ue000-\ue0ff]/g, (mark) => `(?<v${mark.charCodeAt(0) - 0xe000}>.+?)`)
    patterns.push({ english: new RegExp(`^${source}$`), translated })
  }

  return (english, catalogue) => {
    if (texts.size === 0) add(catalogue, messages)
    const text = texts.get(english)
    if (text !== undefined) return text
    for (const pattern of patterns) {
      const groups = pattern.english.exec(english)?.groups
      if (!groups) continue
      const values = Object.keys(groups).sort()
      return pattern.translated(
        ...values.map((name) =>
          withAmount(groups[name] ?? '', (amount) => catalogue.exactDecimal(amount, tag)),
        ),
      )
    }
    return english
  }
}

/** An amount at the start of a value, as core writes it, such as that of `1,234.5 ETH`. */
const leadingAmount = /^\d[\d,]*(?:\.\d+)?(?= |$)/

function withAmount(value: string, exactDecimal: (decimal: string) => string): string {
  return value.replace(leadingAmount, (amount) => exactDecimal(amount.replaceAll(',', '')))
}
