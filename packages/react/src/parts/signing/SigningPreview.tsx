import type { Preview, PreviewAmount, PreviewApproval, PreviewState } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { AlertIcon, Amount, Skeleton } from '@hawser/ui'
import { type ReactNode, useId } from 'react'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useReasons, useWarnings } from '../../locale/textsOf.ts'
import { useSigningTexts } from '../../locale/useSigningTexts.ts'
import { scrollIntoSight } from '../scrollIntoSight.ts'
import { Descriptions } from './Descriptions.tsx'

/** What a request would do before the wallet shows it; renders nothing for an embedded wallet, which shows its own. */
export function SigningPreview({ preview }: { preview: PreviewState | undefined }) {
  const texts = useSigningTexts()
  const id = useId()
  if (!preview) return null
  const state = typeof preview === 'string' ? preview : preview.outcome
  return (
    <section className="hw-signing" aria-labelledby={id} data-state={state} data-testid="signing-preview">
      <p id={id} className="hw-signing-title">
        {texts.title}
      </p>
      {preview === 'loading' && (
        <div role="status">
          <span className="hw-visually-hidden">{texts.loading}</span>
          <Skeleton width={180} height={18} />
        </div>
      )}
      {preview === 'unavailable' && <Warning severity="caution">{texts.unavailable}</Warning>}
      {typeof preview === 'object' && <Effects preview={preview} />}
    </section>
  )
}

function Effects({ preview }: { preview: Preview }) {
  const tag = useLocaleTag()
  const texts = useSigningTexts()
  const say = useWarnings()
  const reasonOf = useReasons()
  const { outcome, isPartial, isReviewed, changes, approvals, warnings, descriptions } = preview
  const isHarmless = changes.length + approvals.length + warnings.length === 0
  return (
    <>
      {outcome === 'notSimulated' && (
        <Warning severity="caution">
          {texts.notSimulated} <bdi>{reasonOf(preview)}</bdi>
        </Warning>
      )}
      {outcome === 'reverts' && (
        <Warning severity="caution">
          {texts.reverts} <bdi>{reasonOf(preview)}</bdi>
        </Warning>
      )}
      {isPartial && outcome !== 'notSimulated' && <Warning severity="caution">{texts.partial}</Warning>}
      {warnings.map((warning, index) => (
        <Warning key={JSON.stringify(warning)} severity={warning.severity} isFirst={index === 0}>
          {say(warning)}
        </Warning>
      ))}
      {isHarmless && !isPartial && outcome !== 'notSimulated' && (
        <p className="hw-signing-text">{isReviewed ? texts.reviewed : texts.harmless}</p>
      )}
      <dl className="hw-signing-rows">
        {changes.map((change) => (
          <Row
            key={JSON.stringify(change)}
            name={change.isOutgoing ? texts.leaves : texts.arrives}
            detail={change.isOutgoing ? texts.to(change.counterparty) : undefined}
          >
            <TokenAmount amount={change} />
          </Row>
        ))}
        {approvals.map((approval) => (
          <Row
            key={JSON.stringify(approval)}
            name={approval.isRevoked ? texts.mayNoLongerTake : texts.mayTake}
            detail={`${approval.spender} ${endOf(approval, texts, tag)}`}
          >
            {approval.isRevoked ? (
              <bdi>{nameOf(approval) || approval.contract}</bdi>
            ) : (
              <TokenAmount amount={approval} />
            )}
          </Row>
        ))}
      </dl>
      <Descriptions list={descriptions ?? []} />
    </>
  )
}

interface WarningProps {
  severity: 'notice' | 'caution' | 'danger'
  /** The first danger is scrolled into sight. */
  isFirst?: boolean
  children: ReactNode
}

function Warning({ severity, isFirst = false, children }: WarningProps) {
  return (
    <div
      ref={isFirst && severity === 'danger' ? scrollIntoSight : undefined}
      className="hw-signing-warning"
      data-severity={severity}
      role={severity === 'danger' ? 'alert' : undefined}
    >
      <AlertIcon size={18} />
      <p>{children}</p>
    </div>
  )
}

interface RowProps {
  name: string
  /** The account that receives or may take it. */
  detail: string | undefined
  children: ReactNode
}

function Row({ name, detail, children }: RowProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {detail && (
        <dd className="hw-signing-detail">
          <bdi dir="ltr">{detail}</bdi>
        </dd>
      )}
    </div>
  )
}

function TokenAmount({ amount }: { amount: PreviewAmount }) {
  const texts = useSigningTexts()
  return amount.amount === undefined ? (
    <bdi>{texts.all(amount.symbol)}</bdi>
  ) : (
    <Amount value={amount.amount} symbol={nameOf(amount)} precision="exact" />
  )
}

function nameOf({ symbol, tokenId }: PreviewAmount): string {
  return tokenId ? `${symbol} #${tokenId}` : symbol
}

function endOf({ expiresAt }: PreviewApproval, texts: Texts['signing'], tag: string): string {
  return expiresAt === undefined ? '' : texts.until(new Date(expiresAt * 1_000).toLocaleString(tag))
}
