import { describe, expect, it } from 'vitest'
import { base } from '../../en/base.ts'
import { buy } from '../../en/buy.ts'
import { getWallet } from '../../en/getWallet.ts'
import { login } from '../../en/login.ts'
import { loginTitles } from '../../en/loginTitles.ts'
import { names } from '../../en/names.ts'
import { namespaces } from '../../en/namespaces.ts'
import { otherChains } from '../../en/otherChains.ts'
import { ownNames } from '../../en/ownNames.ts'
import { pairing } from '../../en/pairing.ts'
import { sendLabels } from '../../en/sendLabels.ts'
import { sessions } from '../../en/sessions.ts'
import { signing } from '../../en/signing.ts'
import { swap } from '../../en/swap.ts'
import { thrown } from '../../en/thrown.ts'
import { toasts } from '../../en/toasts.ts'
import { walletTexts } from '../../en/walletTexts.ts'
import { loginErrors } from '../loginErrors.ts'
import type { Texts } from '../texts.ts'
import { findLocale, locales } from './index.ts'

const english: Omit<Texts, 'message' | 'warning' | 'reason'> = {
  base,
  buy,
  getWallet,
  login,
  loginTitles,
  names,
  namespaces,
  otherChains,
  ownNames,
  pairing,
  sessions,
  signing,
  swap,
}

const exactDecimal = (decimal: string, tag: string) => new Intl.NumberFormat(tag).format(Number(decimal))

type Leaf = string | ((...values: unknown[]) => string)

/** Returns all texts of a catalogue by their path, at any depth. */
function textsOf(catalogue: object, path = ''): [path: string, text: Leaf][] {
  return Object.entries(catalogue).flatMap(([key, text]: [string, Leaf | object]) =>
    typeof text === 'object' ? textsOf(text, `${path}.${key}`) : [[`${path}.${key}`, text] as [string, Leaf]],
  )
}

const originals = new Map(textsOf(english))

/** Names and signs that are the same in every language. */
const sameNames =
  /^(?:|Solana|Polkadot|Bitcoin|EVM|ERC-\d+|https:\/\/|NFTs?|Discord|GitHub|Reddit|X \(Twitter\)|Telegram|Farcaster|Ethereum|WalletConnect)$/

/** English words that a language uses itself. */
const loanwords: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Alias',
    'Auto',
    'Bio',
    'Block',
    'Chains',
    'Contract',
    'Details',
    'Limit',
    'Live',
    'Name',
    'Normal',
    'Route',
    'Sandbox',
    'Standard',
    'Status',
    'Testnet',
    'Token',
    'Unstaked',
    'Wallets',
    'Website',
  ],
  es: ['Alias', 'Auto', 'Error', 'Normal', 'Popular', 'Swap', 'Token', 'Tokens', 'Wallets'],
  fr: [
    'Actions',
    'Alias',
    'Application',
    'Auto',
    'Bio',
    'Collection',
    'Confirmations',
    'Date',
    'Description',
    'Normal',
    'Route',
    'Source',
    'Standard',
    'Traits',
    'Transaction',
    'Type',
    'Wallets',
  ],
  'pt-BR': ['Auto', 'Compare', 'Multichain', 'Normal', 'Popular', 'QR code', 'Token', 'Tokens'],
  tr: ['Normal', 'Token'],
}

/** Fills a text with distinguishable values. */
function fill(text: Leaf, value: (index: number) => unknown): string {
  if (typeof text === 'string') return text
  try {
    return text(...[0, 1, 2, 3].map(value))
  } catch {
    // The text needs values of another kind.
    return ''
  }
}

/** Returns the indices of the parameters that a text shows, whether they are texts or numbers. */
function shownValues(text: Leaf): number[] {
  const word = (index: number) => `<${index}>`
  const count = (index: number) => 71 + index
  return [0, 1, 2, 3].filter((changed) =>
    [word, count].some(
      (value) => fill(text, (index) => (index === changed ? value(7) : value(index))) !== fill(text, value),
    ),
  )
}

describe.each(locales.map((locale) => [locale.tag, locale] as const))('%s', (tag, locale) => {
  it('has every text, with the same values in it', async () => {
    await locale.load()
    const { message, warning, reason, ...translated } = locale.texts as Texts
    const texts = textsOf(translated)
    expect(texts.map(([path]) => path)).toEqual([...originals.keys()])
    for (const [path, text] of texts) {
      const original = originals.get(path) ?? ''
      expect.soft(shownValues(text), path).toEqual(shownValues(original))
      if (typeof text === 'string') expect.soft(text === '', path).toBe(original === '')
    }
  })

  it('has no English left', async () => {
    await locale.load()
    const { message, warning, reason, ...translated } = locale.texts as Texts
    const left = textsOf(translated).filter(([path, text]) => {
      const original = originals.get(path)
      if (typeof text !== 'string' || typeof original !== 'string') return false
      return text === original && !sameNames.test(text) && !loanwords[tag]?.includes(text)
    })
    expect(left).toEqual([])
  })

  it('keeps the links of the legal texts', async () => {
    await locale.load()
    const { legal } = (locale.texts as Texts).base
    for (const sentence of [legal.agree, legal.byConnecting]) {
      expect(sentence.both.match(/\{\w+\}/g)?.sort()).toEqual(['{privacy}', '{terms}'])
      expect(sentence.terms.match(/\{\w+\}/g)).toEqual(['{terms}'])
      expect(sentence.privacy.match(/\{\w+\}/g)).toEqual(['{privacy}'])
    }
  })

  it('translates toasts and errors for display, with the values in them', async () => {
    await locale.load()
    const texts = locale.texts as Texts
    const message = (english: string) =>
      texts.message(english, { toasts, walletTexts, sendLabels, thrown, exactDecimal })
    for (const text of [
      toasts.addressCopied,
      walletTexts.busy,
      thrown.connectFailed,
      ...Object.values(loginErrors),
    ]) {
      expect(message(text)).not.toBe(text)
    }
    const sent = message(toasts.sent('1,234.5 ETH', 'bob.hawser.id'))
    expect(sent).not.toContain('Sent')
    expect(sent).toContain(`${new Intl.NumberFormat(tag).format(1234.5)} ETH`)
    expect(sent).toContain('bob.hawser.id')
    expect(message(toasts.bought('', ''))).not.toBe(toasts.bought('', ''))
    expect(message(toasts.bought('5', 'USDC'))).toContain('5')
    expect(message('The site’s own toast')).toBe('The site’s own toast')
  })
})

describe.each(locales.map((locale) => [locale.tag, locale] as const))('a warning in %s', (_, locale) => {
  it('says what it names, isolated from its sentence', async () => {
    await locale.load()
    const { warning } = locale.texts as Texts
    const english = { severity: 'danger', subject: '', text: 'English.' } as const
    expect(warning({ ...english, phrase: 'DRAINS', value: '0xab' })).toContain('\u20680xab\u2069')
    expect(warning({ ...english, phrase: 'DRAINS', value: '' })).not.toMatch(/\{|\u2068|English/)
    expect(warning({ ...english, phrase: '', value: '' })).toBe('English.')
    expect(warning({ ...english, phrase: 'toString', value: '' })).toBe('English.')
  })
})

describe('a language is found', () => {
  it('by its tag', () => {
    expect(findLocale('de', [])?.tag).toBe('de')
    expect(findLocale('en', ['de'])).toBeUndefined()
  })

  it.each([
    [['de-AT', 'fr'], 'de'],
    [['fi', 'ar-EG'], 'ar'],
    [['en-GB', 'de'], undefined],
    [['fi', 'not a tag', ''], undefined],
    [[], undefined],
  ])('by the languages of the visitor, %j', (wanted, tag) => {
    expect(findLocale('auto', wanted)?.tag).toBe(tag)
  })
})

describe.each(locales.map((locale) => [locale.tag, locale] as const))('a reason in %s', (_, locale) => {
  it('is translated by its cause, and otherwise unchanged', () => {
    const { reason } = locale.texts as Texts
    const english = { reason: 'The account has too little SOL' }
    expect(reason({ ...english, cause: 'NATIVE_LOW' })).not.toMatch(/account|^$/)
    expect(reason({ ...english, cause: '' })).toBe(english.reason)
    expect(reason({ ...english, cause: 'toString' })).toBe(english.reason)
  })
})
