import type { sendLabels } from '../en/sendLabels.ts'
import type { thrown } from '../en/thrown.ts'
import type { toasts } from '../en/toasts.ts'
import type { walletTexts } from '../en/walletTexts.ts'
import { loginErrors } from './loginErrors.ts'
import type { Translated } from './translated.ts'

/** Why a swap, a transfer or a change of a name is refused, as a sentence. */
export type Refusal =
  | 'An address has more than 20 bytes'
  | 'The amount goes to another contract'
  | 'The approval is for another amount'
  | 'The approval is not for this swap'
  | 'The approval is not two words long'
  | 'The call data is not lower-case hex'
  | 'The call data is truncated'
  | 'The call data points past its end'
  | 'The call sends another value'
  | 'The contract is not one that this page swaps with'
  | 'The deadline is more than an hour away'
  | 'The path of the swap is malformed'
  | 'The permit is for another token, amount or spender'
  | 'The permit is not JSON'
  | 'The permit is not for this swap'
  | 'The quote names no contract to approve'
  | 'The router is called in an unexpected way'
  | 'The router keeps a part of the output'
  | 'The router keeps more than one percent'
  | 'The router may sell only a part'
  | 'The router pays another account'
  | 'The router pays another token'
  | 'The router pays no account'
  | 'The router swaps nothing'
  | 'The router takes another token'
  | 'The router takes more than is sold'
  | 'The router takes the tokens from the wrong account'
  | 'The router trades another token'
  | 'The router would truncate the minimum'
  | 'The router wraps another amount'
  | 'The swap may pay less than was promised'
  | 'The swap takes another amount'
  | 'The transaction is for another network'
  | 'The wrapped token is called in an unexpected way'
  | 'This page supports no exchange on the network'
  | 'This page supports no router that uses Permit2'
  | 'Your wallet did not find the contract in the registry of 0x'
  | 'The receiver’s token account belongs to another owner'
  | 'The receiver is a program'
  | 'The receiver is not an account of this token'
  | 'The receiver is not a wallet'
  | 'The token accounts do not cover the amount'
  | 'The token has no mint'
  | 'A field can’t be saved. Check what you entered.'
  | 'Names aren’t supported on this network.'
  | 'Names can’t be changed right now. Try again in a moment.'
  | 'The network doesn’t answer. Try again in a moment.'
  | 'The signature has expired. Check the clock of your device, then try again.'
  | 'The signature isn’t from this account. Check your wallet, then try again.'
  | 'This account doesn’t own the name.'
  | 'This account changed too many names. Try again in an hour.'
  | 'This address can’t be used.'
  | 'This name can’t be used.'
  | 'This name is reserved.'
  | 'This name is taken.'
  | 'This name isn’t registered any more.'
  | 'This signature was used before. Try again.'
  | 'Too many requests. Try again later.'

/** The toasts and errors of core in another language, by their keys. */
export interface Messages {
  readonly toasts: Translated<typeof toasts>
  readonly walletTexts: Translated<typeof walletTexts>
  readonly loginErrors: Translated<typeof loginErrors>
  /** The texts of the button that sends. */
  readonly sendLabels: Translated<typeof sendLabels>
  readonly thrown: Translated<typeof thrown>
  /** Why a swap, a transfer or a change of a name is refused, by the English sentence. */
  readonly refused: Readonly<Record<Refusal, string>>
}

/** The texts of core in English. They are passed in: if the chunks of languages imported them, the modal would be split into more chunks. */
export interface Catalogue {
  readonly toasts: typeof toasts
  readonly walletTexts: typeof walletTexts
  readonly sendLabels: typeof sendLabels
  readonly thrown: typeof thrown
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
  messages: Messages,
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

  const { refused, ...catalogues } = messages
  return (english, catalogue) => {
    if (texts.size === 0) {
      add({ ...catalogue, loginErrors }, catalogues)
      for (const [sentence, text] of Object.entries(refused)) texts.set(sentence, text)
    }
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
