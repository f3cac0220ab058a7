import { confirmRevocation, dangersOf, goBack, type Revocation, stopRevocation } from '@hawser/core'
import { AlertIcon, List, Spinner } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useCoreTexts } from '../../locale/textsOf.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { Fact } from '../../parts/Fact.tsx'
import { NetworkMark } from '../../parts/NetworkMark.tsx'
import { ReviewFooter, useConsent } from '../../parts/ReviewFooter.tsx'
import { SigningPreview } from '../../parts/signing/SigningPreview.tsx'
import { RevocationRow } from './RevocationRow.tsx'

/** The review of approvals that end, before the wallet signs, and how far the requests to the wallet are. */
export function RevokeApprovalsView() {
  const hawser = useHawser()
  const { caipAddress } = useAccount()
  const found = useHawserState(hawser.access, (access) => access.revocation)
  const revocation = found?.owner === caipAddress ? found : undefined
  const isMissing = revocation === undefined
  useEffect(() => {
    if (isMissing && hawser.router.getState().view === 'RevokeApprovals') goBack(hawser)
  }, [hawser, isMissing])
  return revocation ? <Review revocation={revocation} /> : null
}

function Review({ revocation }: { revocation: Revocation }) {
  const texts = useAccessTexts().review
  const { list } = useAccessTexts()
  const { preview: reviewTexts } = useTexts()
  const { network } = useNetwork()
  const { approvals, steps, preview } = revocation
  return (
    <div className="hw-stack" data-testid="revocation">
      <section className="hw-section">
        <p className="hw-heading">{texts.text(approvals.length)}</p>
        <List label={list} appearance="plain">
          {approvals.map((approval) => (
            <RevocationRow
              key={approval.id}
              approval={approval}
              state={steps?.find((step) => step.approvals.includes(approval))?.state}
            />
          ))}
        </List>
      </section>
      <dl className="hw-details">
        {network && (
          <div>
            <dt>{reviewTexts.network}</dt>
            <dd className="hw-details-network">
              <NetworkMark network={network} size={20} />
              <span>{network.name}</span>
            </dd>
          </div>
        )}
        {steps && (
          <Fact name={texts.requests} data-testid="revocation-requests">
            {steps.length}
          </Fact>
        )}
      </dl>
      <SigningPreview preview={preview} />
      <Progress revocation={revocation} />
      <Confirmation revocation={revocation} />
    </div>
  )
}

/** Says what to do next: check the review, then confirm in the wallet, then wait. */
function Progress({ revocation: { steps = [], isWorking } }: { revocation: Revocation }) {
  const { toasts } = useCoreTexts()
  const { states } = useAccessTexts().review
  const texts = useTexts().preview
  const isAsking = steps.some(({ state }) => state === 'wallet')
  return (
    <p className="hw-note hw-caution" role="status" data-testid="revocation-progress">
      {isWorking ? <Spinner size={18} /> : <AlertIcon size={18} />}
      {isAsking ? toasts.confirmInWallet : isWorking ? states.chain : texts.note}
    </p>
  )
}

function Confirmation({ revocation: { steps, isWorking, preview } }: { revocation: Revocation }) {
  const texts = useAccessTexts().review
  const { preview: reviewTexts, tryAgain } = useTexts()
  const hawser = useHawser()
  const danger = dangersOf(preview).join('\n') || undefined
  const consent = useConsent(danger)
  const hasFailed = steps?.some(({ state }) => state === 'failed') === true
  const isPreparing = !steps || preview === 'loading'
  const label = hasFailed ? tryAgain : texts.confirm
  return (
    <ReviewFooter
      danger={
        danger === undefined
          ? undefined
          : { label: texts.accept, consent, testId: 'revocation-danger-accept' }
      }
      cancel={{
        label: isWorking ? reviewTexts.stop : reviewTexts.cancel,
        testId: 'revocation-cancel-button',
        run: () => stopRevocation(hawser),
      }}
      confirm={{
        label: danger === undefined ? label : texts.anyway,
        testId: 'revocation-confirm-button',
        isBusy: isWorking || isPreparing,
        isDisabled: !consent.isGiven || isPreparing,
        run: () => void confirmRevocation(hawser),
      }}
    />
  )
}
