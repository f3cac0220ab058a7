import { type Delegation, isUnknownDelegation, plainAddress } from '@hawser/core'
import { AlertIcon, ExternalIcon, List, ListItem } from '@hawser/ui'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { WholeAddress } from '../../parts/WholeAddress.tsx'
import { useWalletSettings } from './useWalletSettings.ts'

/**
 * The code that the account delegated to (EIP-7702), and where that is ended: on the pages of an embedded wallet, or in the
 * wallet itself, because pages cannot request it.
 */
export function DelegationCard({ delegation }: { delegation: Delegation }) {
  const texts = useAccessTexts().delegation
  const settings = useWalletSettings()
  const isUnknown = isUnknownDelegation(delegation)
  return (
    <section
      className="hw-access-card"
      data-danger={isUnknown || undefined}
      data-testid="access-delegation"
      aria-label={texts.title}
    >
      <p className="hw-access-card-title">
        {isUnknown && <AlertIcon size={18} />}
        {isUnknown ? texts.unknown : texts.title}
      </p>
      <p>{isUnknown ? texts.unknownText : texts.text(delegation.name)}</p>
      <WholeAddress address={plainAddress(delegation.address)} copyLabel={texts.copy} />
      {settings ? (
        <List label={texts.title}>
          <ListItem
            title={texts.remove}
            end={<ExternalIcon size={18} />}
            href={settings}
            keepsOpener
            data-testid="delegation-remove"
          />
        </List>
      ) : (
        <p className="hw-access-about">{texts.removeElsewhere}</p>
      )}
    </section>
  )
}
