import { type Approval, approvalDanger, openRevocation, plainAddress } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { AlertIcon, Amount, Button } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { AddressExplorerLink } from '../../parts/AddressExplorerLink.tsx'
import { Fact } from '../../parts/Fact.tsx'
import { fullTime } from '../../parts/relativeTime.ts'
import { ExplorerLink, HashFact } from '../../parts/TransactionFacts.tsx'
import { WholeAddress } from '../../parts/WholeAddress.tsx'
import { expiryOf, wholeAmount } from './describe.ts'
import { MayTake } from './MayTake.tsx'

export interface ApprovalDetailsProps {
  id: string
  approval: Approval
}

/** The details of an approval with every digit, and the button that revokes it. */
export function ApprovalDetails({ id, approval }: ApprovalDetailsProps) {
  const tag = useLocaleTag()
  const accessTexts = useAccessTexts()
  const texts = accessTexts.details
  const hawser = useHawser()
  const { network } = useNetwork()
  const { kind, token, spender, atRisk, changedAt, changedBy, tokenAccount } = approval
  const danger = approvalDanger(approval)
  const expiry = expiryOf(approval)
  const spenderAddress = plainAddress(spender.address)
  return (
    <div id={id} className="hw-activity-details hw-access-details">
      {danger && (
        <p className="hw-activity-warning hw-access-warning" role="note">
          <AlertIcon size={16} />
          {accessTexts.dangerTexts[danger]}
        </p>
      )}
      <dl className="hw-details">
        <Fact name={texts.spender} data-testid="approval-spender">
          {spender.name && <bdi>{spender.name}</bdi>}
          <WholeAddress address={spenderAddress} copyLabel={texts.copySpender} />
          <AddressExplorerLink address={spenderAddress} label={texts.explorer} />
        </Fact>
        <Fact name={texts.kind}>{textFor(texts.kinds, kind) ?? kind}</Fact>
        <Fact name={texts.mayTake}>
          <MayTake approval={approval} precision="exact" />
        </Fact>
        <Fact name={texts.atRisk}>
          <Amount value={wholeAmount(approval, atRisk)} symbol={token.symbol} precision="exact" />
        </Fact>
        {expiry !== undefined && <Fact name={texts.expires}>{fullTime(expiry, tag)}</Fact>}
        <Fact name={texts.token}>
          <WholeAddress address={plainAddress(token.address)} copyLabel={texts.copyToken} />
        </Fact>
        {tokenAccount && (
          <Fact name={texts.tokenAccount}>
            <bdi className="hw-mono">{tokenAccount}</bdi>
          </Fact>
        )}
        {changedAt && <Fact name={texts.approved}>{fullTime(Date.parse(changedAt), tag)}</Fact>}
        {changedBy && <HashFact hash={changedBy} testId="approval-hash" />}
      </dl>
      {network && changedBy && (
        <ExplorerLink chainId={network.caipNetworkId} hash={changedBy} testId="approval-explorer" />
      )}
      <Button
        wide
        variant="danger"
        data-testid="approval-revoke"
        onClick={() => void openRevocation(hawser, [approval])}
      >
        {accessTexts.revoke}
      </Button>
    </div>
  )
}
