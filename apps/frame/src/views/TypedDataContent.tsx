import type { TypedDataDefinition } from 'viem'
import { useTexts } from '../locale/useLanguage.ts'
import { visibleText } from '../plain.ts'
import { Fact } from './Fact.tsx'

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

function Value({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return <bdi class="address">{visibleText(String(value))}</bdi>
  return (
    <dl class="fields">
      {Object.entries(value).map(([name, field]) => (
        <div key={name}>
          <dt>
            <bdi>{visibleText(name)}</bdi>
          </dt>
          <dd>
            <Value value={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
