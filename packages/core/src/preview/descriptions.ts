import { plainText } from '@hawser/client'
import { type Asset, type Description, type DescriptionRow, ValueKind } from '@hawser/client/preview'
import { formatUnits } from '../amounts/units.ts'
import type { PreviewAmount, PreviewDescription, PreviewValue } from '../types/preview.ts'

/** Returns an amount in base units of a token. */
type AmountOf = (asset: Asset | undefined, amount: string) => PreviewAmount

/** Returns the descriptions of a response, with amounts in whole tokens. */
export function describe(list: readonly Description[], amountOf: AmountOf): readonly PreviewDescription[] {
  return list.map((description) => descriptionOf(description, amountOf))
}

function descriptionOf(
  { intent, sentence, rows, owner, contractName }: Description,
  amountOf: AmountOf,
): PreviewDescription {
  return {
    intent: plainText(intent),
    sentence: sentence.map(({ part }) => (part.case === 'row' ? part.value : plainText(part.value ?? ''))),
    rows: rows.map((row) => ({ label: plainText(row.label), value: previewValueOf(row, amountOf) })),
    owner: [owner, contractName].map(plainText).filter(Boolean).join(', '),
  }
}

function previewValueOf(row: DescriptionRow, amountOf: AmountOf): PreviewValue {
  const { kind, value, asset } = row
  const text = plainText(value)
  switch (kind) {
    case ValueKind.NUMBER:
      return { kind: 'number', text }
    case ValueKind.FLAG:
      return { kind: 'flag', isSet: value === 'true' }
    case ValueKind.BYTES:
      return { kind: 'bytes', text }
    case ValueKind.ADDRESS:
      return { kind: 'address', address: text }
    case ValueKind.AMOUNT: {
      const { unlimited: isUnlimited, message } = row
      return { kind: 'amount', amount: amountOf(asset, value), isUnlimited, message: plainText(message) }
    }
    case ValueKind.COLLECTIBLE:
    case ValueKind.TOKEN: {
      const { symbol, tokenId } = amountOf(asset, '')
      return { kind: 'token', symbol, tokenId }
    }
    case ValueKind.TIME:
      return { kind: 'time', seconds: Number(value) }
    case ValueKind.DURATION:
      return { kind: 'duration', seconds: Number(value) }
    case ValueKind.QUANTITY:
      return { kind: 'quantity', text: formatUnits(BigInt(value), row.decimals), unit: plainText(row.unit) }
    case ValueKind.CALL:
      return { kind: 'call', address: text, inner: row.inner && descriptionOf(row.inner, amountOf) }
    default:
      return { kind: 'text', text }
  }
}
