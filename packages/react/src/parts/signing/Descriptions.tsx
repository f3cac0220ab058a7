import { type PreviewDescription, type PreviewValue, shortenAddress } from '@hawser/core'
import { durationText } from '@hawser/texts/format/durationText'
import type { Texts } from '@hawser/texts/modal/texts'
import { Amount, exactDecimal } from '@hawser/ui'
import type { ReactNode } from 'react'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSigningTexts } from '../../locale/useSigningTexts.ts'
import { AddressCopy } from '../AddressCopy.tsx'

/** What a request asks of contracts, in the words of their descriptors. What it does is not said here. */
export function Descriptions({ list }: { list: readonly PreviewDescription[] }) {
  const texts = useSigningTexts()
  if (list.length === 0) return null
  return (
    <div className="hw-signing-asks" data-testid="signing-asks">
      <p className="hw-signing-title">{texts.asks}</p>
      {list.map((description, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity and never move
        <Description key={at} description={description} />
      ))}
    </div>
  )
}

function Description({ description }: { description: PreviewDescription }) {
  const { intent, sentence, rows, owner } = description
  const texts = useSigningTexts()
  const tag = useLocaleTag()
  return (
    <div>
      {(intent || sentence.length > 0) && (
        <p className="hw-signing-intent">
          <bdi>{sentenceOf(description, texts, tag)}</bdi>
        </p>
      )}
      {owner && (
        <p className="hw-signing-title">
          <bdi>{owner}</bdi>
        </p>
      )}
      <dl className="hw-signing-rows">
        {rows.map(({ label, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and never move
          <div key={at} data-kind={value.kind}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** A value with every digit. An address is whole: its first and last digits can be forged to look like another's. */
function Value({ value }: { value: PreviewValue }): ReactNode {
  const texts = useSigningTexts()
  const tag = useLocaleTag()
  if (value.kind === 'address') return <AddressCopy address={value.address} name={value.address} />
  if (value.kind === 'amount' && !value.isUnlimited) {
    const { amount, symbol } = value.amount
    return <Amount value={amount ?? '0'} symbol={symbol} precision="exact" />
  }
  if (value.kind !== 'call') return <bdi>{textOf(value, texts, tag)}</bdi>
  return (
    <>
      <AddressCopy address={value.address} name={value.address} />
      {value.inner && <Description description={value.inner} />}
    </>
  )
}

/** The intent, or the sentence with values, whose rows are below. */
function sentenceOf(
  { intent, sentence, rows }: PreviewDescription,
  texts: Texts['signing'],
  tag: string,
): string {
  if (sentence.length === 0) return intent
  return sentence
    .map((part) => {
      if (typeof part === 'string') return part
      const value = rows[part]?.value
      return value ? textOf(value, texts, tag) : ''
    })
    .join('')
}

function textOf(value: PreviewValue, texts: Texts['signing'], tag: string): string {
  switch (value.kind) {
    case 'text':
    case 'bytes':
      return value.text
    case 'number':
      return exactDecimal(value.text, tag)
    case 'flag':
      return value.isSet ? texts.yes : texts.no
    case 'address':
    case 'call':
      return shortenAddress(value.address)
    case 'amount': {
      const { amount: digits = '0', symbol } = value.amount
      if (!value.isUnlimited) return `${exactDecimal(digits, tag)} ${symbol}`
      return value.message ? `${value.message} ${symbol}` : texts.unlimited(symbol)
    }
    case 'token':
      return value.tokenId ? `${value.symbol} #${value.tokenId}` : value.symbol
    case 'time':
      return new Date(value.seconds * 1_000).toLocaleString(tag)
    case 'duration':
      return durationText(value.seconds, tag)
    case 'quantity':
      return `${exactDecimal(value.text, tag)}\u00a0${value.unit}`
  }
}
