import type { TypedDataDefinition } from 'viem'
import { visibleText } from '../plain.ts'

/** Typed data (EIP-712): who verifies it, and every field of it. */
export function TypedDataContent({
  data: { domain, primaryType, message },
}: {
  readonly data: TypedDataDefinition
}) {
  return (
    <>
      <dl class="facts">
        <dt>For</dt>
        <dd>{visibleText(domain?.name ?? 'Unnamed')}</dd>
        {domain?.verifyingContract && (
          <>
            <dt>Contract</dt>
            <dd class="address">{domain.verifyingContract}</dd>
          </>
        )}
        <dt>Kind</dt>
        <dd>{visibleText(primaryType)}</dd>
      </dl>
      <Value value={message} />
    </>
  )
}

function Value({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return <span class="address">{visibleText(String(value))}</span>
  return (
    <dl class="fields">
      {Object.entries(value).map(([name, field]) => (
        <div key={name}>
          <dt>{visibleText(name)}</dt>
          <dd>
            <Value value={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
