import type { Approval, RevocationStepState } from '@hawser/core'
import { CheckIcon, CloseIcon, ListItem, Spinner } from '@hawser/ui'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { TokenMark } from '../../parts/TokenMark.tsx'
import { spenderName, tokenName } from '../Access/describe.ts'
import { MayTake } from '../Access/MayTake.tsx'

export interface RevocationRowProps {
  approval: Approval
  /** How far the request to the wallet that ends it is; undefined while that is not known. */
  state: RevocationStepState | undefined
}

/** An approval that ends, and how far that is. */
export function RevocationRow({ approval, state = 'next' }: RevocationRowProps) {
  const texts = useAccessTexts()
  const name = tokenName(approval, texts)
  return (
    <ListItem
      title={name}
      subtitle={
        <>
          <bdi title={approval.spender.address}>{spenderName(approval)}</bdi>
          <span className="hw-access-line">
            {state === 'next' ? <MayTake approval={approval} /> : texts.review.states[state]}
          </span>
        </>
      }
      icon={<TokenMark token={{ ...approval.token, symbol: name }} />}
      end={
        <span className="hw-access-mark" data-state={state} data-testid={`revocation-${state}`}>
          <Mark state={state} />
        </span>
      }
    />
  )
}

function Mark({ state }: { state: RevocationStepState }) {
  switch (state) {
    case 'wallet':
    case 'chain':
      return <Spinner size={18} />
    case 'done':
      return <CheckIcon size={18} />
    case 'failed':
      return <CloseIcon size={18} />
    default:
      return null
  }
}
