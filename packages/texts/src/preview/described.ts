import type { AssetJson, DescriptionJson, DescriptionRowJson } from '@hawser/client/preview'
import { durationText } from '../format/durationText.ts'
import { timeText } from '../format/timeText.ts'
import type { AsksTexts } from '../gen/types.ts'

export type { DescriptionJson } from '@hawser/client/preview'

/** How a page says the values of descriptions. */
export interface Saying {
  /** Tag of its language (BCP 47). */
  readonly tag: string
  readonly texts: AsksTexts
  /** Returns text of others as it may be shown. */
  readonly clean: (text: string) => string
  /** Returns an integer, divided by ten to the power of `decimals`, with every digit. */
  readonly digits: (value: bigint, decimals: number) => string
  readonly token: (asset: AssetJson | undefined) => { readonly symbol: string; readonly decimals: number }
  /** Returns the ends of an address, for a sentence. */
  readonly shorten: (address: string) => string
}

/** What a call, or typed data, asks of its contract, as text. */
export interface Described {
  /** Its intent, with values; empty where the rows say it. */
  readonly title: string
  /** Who runs the contract, and what people call it; empty if neither is known. */
  readonly owner: string
  readonly rows: readonly DescribedRow[]
}

/** A labelled value. */
export interface DescribedRow {
  readonly label: string
  /** Empty for an address. */
  readonly text: string
  /** An account or a contract, whole; empty for another value. */
  readonly address: string
  /** A call of that contract within the request; undefined for another value, and for a call that is not described. */
  readonly inner: Described | undefined
}

/** Returns a description (ERC-7730) of a preview as text. */
export function described(
  { intent = '', sentence = [], rows = [], owner = '', contractName = '' }: DescriptionJson,
  saying: Saying,
): Described {
  const { clean, shorten } = saying
  const shown = rows.map((row) => rowOf(row, saying))
  const parts = sentence.map(({ text, row }) => {
    const value = row === undefined ? undefined : shown[row]
    return value ? isolated(value.address ? shorten(value.address) : value.text) : clean(text ?? '')
  })
  return {
    title: parts.length > 0 ? parts.join('') : clean(intent),
    owner: [owner, contractName].map(clean).filter(Boolean).join(', '),
    rows: shown,
  }
}

/** Keeps a value from changing the direction of its sentence (FIRST STRONG ISOLATE). */
function isolated(value: string): string {
  return `\u2068${value}\u2069`
}

function rowOf(row: DescriptionRowJson, saying: Saying): DescribedRow {
  const { label = '', kind, value = '', inner } = row
  const isAddress = kind === 'VALUE_KIND_ADDRESS' || kind === 'VALUE_KIND_CALL'
  return {
    label: saying.clean(label),
    text: isAddress ? '' : textOf(row, saying),
    address: isAddress ? saying.clean(value) : '',
    inner: inner && described(inner, saying),
  }
}

function textOf(
  { kind, value = '', asset, unlimited = false, message = '', decimals = 0, unit = '' }: DescriptionRowJson,
  { tag, texts, clean, digits, token }: Saying,
): string {
  switch (kind) {
    case 'VALUE_KIND_NUMBER':
      return digits(BigInt(value), 0)
    case 'VALUE_KIND_FLAG':
      return value === 'true' ? texts.yes : texts.no
    case 'VALUE_KIND_AMOUNT': {
      const { symbol, decimals: places } = token(asset)
      if (!unlimited) return `${digits(BigInt(value), places)} ${symbol}`
      return message ? `${clean(message)} ${symbol}` : texts.unlimited(isolated(symbol))
    }
    case 'VALUE_KIND_COLLECTIBLE':
      return `${token(asset).symbol} #${asset?.tokenId ?? ''}`
    case 'VALUE_KIND_TOKEN':
      return token(asset).symbol
    case 'VALUE_KIND_TIME':
      return timeText(Number(value), tag)
    case 'VALUE_KIND_DURATION':
      return durationText(Number(value), tag)
    case 'VALUE_KIND_QUANTITY':
      return `${digits(BigInt(value), decimals)}\u00a0${clean(unit)}`
    default:
      return clean(value)
  }
}
