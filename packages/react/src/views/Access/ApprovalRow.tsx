import { type Approval, approvalDanger, forgetWanted, isApprovalOf, selectApproval } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { AlertIcon, Amount, Checkbox, Tag } from '@hawser/ui'
import { useEffect, useId, useRef, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'
import { ApprovalDetails } from './ApprovalDetails.tsx'
import { spenderName, tokenName, wholeAmount } from './describe.ts'
import { MayTake } from './MayTake.tsx'

export interface ApprovalRowProps {
  approval: Approval
  isSelected: boolean
  /** Whether it is being revoked. */
  isEnding: boolean
}

/** One approval: a tick to select it, and a row that expands its details. */
export function ApprovalRow({ approval, isSelected, isEnding }: ApprovalRowProps) {
  const texts = useAccessTexts()
  const { activity } = useTexts()
  const hawser = useHawser()
  const id = useId()
  const { isOpen, setOpen, row } = useOpened(approval)
  const { token, spender } = approval
  const name = tokenName(approval, texts)
  const danger = approvalDanger(approval)
  return (
    <li
      className="hw-list-item"
      data-testid={`approval-${name}`}
      data-kind={approval.kind}
      data-spender={spender.address}
      data-danger={danger}
    >
      <div className="hw-access-row">
        <Checkbox
          checked={isSelected}
          data-testid="approval-select"
          onChange={(isSelected) => selectApproval(hawser, approval.id, isSelected)}
        >
          <span className="hw-visually-hidden">{texts.select(name, spenderName(approval))}</span>
        </Checkbox>
        <button
          ref={row}
          type="button"
          className="hw-row"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="hw-row-icon">
            <TokenMark token={{ ...token, symbol: name }} />
          </span>
          <span className="hw-row-text">
            <span className="hw-row-title" title={token.name || name} dir="auto">
              {name}
            </span>
            <span className="hw-row-subtitle">
              <bdi title={spender.address}>{spenderName(approval)}</bdi>
            </span>
            <span className="hw-row-subtitle">
              <MayTake approval={approval} />
            </span>
            {danger && (
              <span className="hw-access-danger">
                <AlertIcon size={14} />
                {texts.dangers[danger]}
              </span>
            )}
          </span>
          <span className="hw-access-end">
            <AtRisk approval={approval} />
            {token.warning && (
              <Tag tone="warning">{textFor(activity.warnings, token.warning) ?? token.warning}</Tag>
            )}
            {isEnding && <Tag tone="accent">{texts.revoking}</Tag>}
          </span>
        </button>
      </div>
      {isOpen && <ApprovalDetails id={id} approval={approval} />}
    </li>
  )
}

/** Opens the row that is wanted from elsewhere, and gives it the focus. */
function useOpened(approval: Approval) {
  const hawser = useHawser()
  const row = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isWanted = useHawserState(
    hawser.access,
    ({ wanted }) => wanted !== undefined && isApprovalOf(approval, wanted),
  )
  useEffect(() => {
    if (!isWanted) return
    setOpen(true)
    row.current?.focus()
    forgetWanted(hawser)
  }, [hawser, isWanted])
  return { isOpen, setOpen, row }
}

/** The value that the spender could take at this moment; the amount where no price is known. */
function AtRisk({ approval }: { approval: Approval }) {
  const tag = useLocaleTag()
  const texts = useAccessTexts()
  const { atRisk, value, token } = approval
  if (!/[1-9]/.test(atRisk)) return <span className="hw-access-none">{texts.nothingAtRisk}</span>
  const shown = formatUsd(value, tag)
  if (shown) return <bdi className="hw-token-value">{shown}</bdi>
  return <Amount value={wholeAmount(approval, atRisk)} symbol={token.symbol} />
}
