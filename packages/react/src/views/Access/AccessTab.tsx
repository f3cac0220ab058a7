import {
  type AccessState,
  fetchApprovals,
  forgetWanted,
  selectAllApprovals,
  totalAtRisk,
  watchApprovals,
} from '@hawser/core'
import { AlertIcon, Button, Checkbox, EmptyState, List, ShieldIcon, SkeletonRows } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { OutageText } from '../../parts/OutageText.tsx'
import { ApprovalRow } from './ApprovalRow.tsx'
import { DelegationCard } from './DelegationCard.tsx'
import { OtherAccess } from './OtherAccess.tsx'
import { RevokeSelected } from './RevokeSelected.tsx'

/** What others may do with the account: approvals, the code that it runs, and where other access is managed. */
export function AccessTab() {
  const texts = useTexts()
  const hawser = useHawser()
  const state = useHawserState(hawser.access, (access) => access)
  useEffect(() => watchApprovals(hawser), [hawser])
  useEffect(() => () => forgetWanted(hawser), [hawser])

  const { approvals, delegation, isLoaded, hasFailed } = state
  if (!isLoaded && hasFailed) return <AccessError />
  if (!isLoaded) return <SkeletonRows count={4} label={texts.access.loading} />
  return (
    <div className="hw-access" data-testid="access">
      {approvals.length > 0 && <AtRisk state={state} />}
      {delegation && <DelegationCard delegation={delegation} />}
      {approvals.length > 0 ? <Approvals state={state} /> : <NoApprovals isSafe={!delegation} />}
      <Notes state={state} />
      <OtherAccess />
      <RevokeSelected />
    </div>
  )
}

/** The value that spenders could take at this moment. */
function AtRisk({ state }: { state: AccessState }) {
  const tag = useLocaleTag()
  const texts = useAccessTexts()
  const { tokenBalance } = useAccount()
  const { value, isPartial } = totalAtRisk(state.approvals, tokenBalance)
  return (
    <div className="hw-access-total">
      <p className="hw-access-about">{texts.about}</p>
      <p>
        {texts.total}{' '}
        <bdi className="hw-access-value" data-testid="access-total">
          {formatUsd(value, tag) ?? texts.totalUnknown}
        </bdi>
      </p>
      {isPartial && value !== undefined && <p className="hw-access-about">{texts.partial}</p>}
    </div>
  )
}

function Approvals({ state: { approvals, selected, revocation } }: { state: AccessState }) {
  const texts = useAccessTexts()
  const hawser = useHawser()
  const ending = revocation?.isWorking
    ? revocation.steps?.filter(({ state }) => state !== 'done').flatMap((step) => step.approvals)
    : []
  return (
    <section>
      <Checkbox
        checked={selected.length > 0}
        data-testid="access-select-all"
        onChange={(isSelected) => selectAllApprovals(hawser, isSelected)}
      >
        {selected.length > 0 ? texts.selected(selected.length) : texts.selectAll}
      </Checkbox>
      <List label={texts.list} appearance="plain">
        {approvals.map((approval) => (
          <ApprovalRow
            key={approval.id}
            approval={approval}
            isSelected={selected.includes(approval.id)}
            isEnding={ending?.some(({ id }) => id === approval.id) === true}
          />
        ))}
      </List>
    </section>
  )
}

/** What the list may lack. */
function Notes({ state: { isBackfilling, fromBlock, isTruncated } }: { state: AccessState }) {
  const tag = useLocaleTag()
  const texts = useAccessTexts()
  const from = BigInt(fromBlock || 0)
  return (
    <>
      {isBackfilling && <p className="hw-note">{texts.backfilling}</p>}
      {!isBackfilling && from > 0n && (
        <p className="hw-note">{texts.unknownBefore(from.toLocaleString(tag))}</p>
      )}
      {isTruncated && <p className="hw-note">{texts.truncated}</p>}
    </>
  )
}

/** @param isSafe whether the account runs no code either. */
function NoApprovals({ isSafe }: { isSafe: boolean }) {
  const texts = useAccessTexts()
  return (
    <EmptyState icon={<ShieldIcon size={26} />} title={texts.emptyTitle} data-testid="empty-access-state">
      {isSafe && texts.emptyText}
    </EmptyState>
  )
}

function AccessError() {
  const texts = useTexts()
  const accessTexts = useAccessTexts()
  const hawser = useHawser()
  const isReading = useHawserState(hawser.access, (access) => access.isReading)
  return (
    <EmptyState
      tone="error"
      icon={<AlertIcon size={26} />}
      title={accessTexts.errorTitle}
      data-testid="access-error"
      action={
        <Button size="small" loading={isReading === true} onClick={() => void fetchApprovals(hawser)}>
          {texts.tryAgain}
        </Button>
      }
    >
      <OutageText />
    </EmptyState>
  )
}
