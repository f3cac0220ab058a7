import { timeText } from '@hawser/texts/format/timeText'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { TypedDataDefinition } from 'viem'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { Address } from './Address.tsx'
import { Fact } from './Fact.tsx'
import { isAddress } from './isAddress.ts'

/** Typed data (EIP-712): who verifies it, and every field of it. */
export function TypedDataContent({
  data: { domain, primaryType, message },
}: {
  readonly data: TypedDataDefinition
}) {
  const { typedData: texts, fact } = useTexts()
  return (
    <>
      <dl class="entries box">
        <Fact name={texts.for}>{domain?.name === undefined ? texts.unnamed : visibleText(domain.name)}</Fact>
        {domain?.verifyingContract && (
          <Fact name={fact.contract} isAddress>
            {domain.verifyingContract}
          </Fact>
        )}
        <Fact name={texts.kind}>{visibleText(primaryType)}</Fact>
      </dl>
      <div class="box">
        <Value value={message} />
      </div>
    </>
  )
}

/** The names of members that are times, and what a time in seconds looks like. */
const TIME_NAME = /deadline|expir|valid_?(to|until|before|after|from)|(start|end)_?(time|s?$)/i
const SECONDS = /^[1-9]\d{9}$/

/** Of 78 digits, which are not read: an allowance without a limit. */
const HIGHEST = String(2n ** 256n - 1n)

function Value({ value, name = '' }: { readonly value: unknown; readonly name?: string }) {
  const tag = useTag()
  const { typedData: texts } = useTexts()
  if (typeof value !== 'object' || value === null) {
    const text = visibleText(String(value))
    if (isAddress(text)) return <Address>{text}</Address>
    const raw = <bdi class="address">{text}</bdi>
    const isTime = TIME_NAME.test(name) && SECONDS.test(text)
    const meaning = text === HIGHEST ? texts.highest : isTime ? timeText(Number(text), tag) : undefined
    if (!meaning) return raw
    return (
      <div class="time">
        <bdi>{meaning}</bdi> {raw}
      </div>
    )
  }
  return (
    <dl class="fields">
      {Object.entries(value).map(([name, field]) => (
        <div key={name}>
          <dt>
            <bdi>{visibleText(name)}</bdi>
          </dt>
          <dd>
            <Value value={field} name={name} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
