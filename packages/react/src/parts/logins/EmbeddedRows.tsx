import { editEmail, isSmartAccount, setPreferredAccountType, upgradeWallet } from '@hawser/core'
import {
  ChevronRightIcon,
  ExternalIcon,
  InfoIcon,
  KeyIcon,
  List,
  ListItem,
  MailIcon,
  RetryIcon,
  ShieldIcon,
  Spinner,
} from '@hawser/ui'
import type { ReactNode } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { socialNames } from '../../locale/socialNames.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { SocialMark } from './SocialMark.tsx'
import { useLogins } from './useLogins.ts'

/** The settings of an embedded wallet: its login, its type of account, and where its keys are managed. */
export function EmbeddedRows() {
  const texts = useLoginTexts().account
  const loginTexts = useLoginTexts()
  const hawser = useHawser()
  const { accountUrl } = useLogins()
  return (
    <List label={texts.list}>
      <LoginRow />
      <TypeRow />
      <ListItem
        title={loginTexts.upgrade.card}
        subtitle={loginTexts.upgrade.cardText}
        icon={<Tile icon={<KeyIcon />} />}
        end={<ChevronRightIcon size={18} />}
        data-testid="w3m-account-upgrade-wallet"
        onSelect={() => upgradeWallet(hawser)}
      />
      <ListItem
        title={texts.security}
        subtitle={texts.securityText}
        icon={<Tile icon={<ShieldIcon />} />}
        end={<ExternalIcon size={18} />}
        href={accountUrl}
        keepsOpener
        data-testid="account-security"
      />
    </List>
  )
}

/** Asks the user to add a backup to a wallet that only this browser can open, or says that the login ends with this tab. */
export function BackupNotice() {
  const texts = useLoginTexts().account
  const { user, connectedWalletInfo } = useAccount()
  const { accountUrl } = useLogins()
  if (connectedWalletInfo?.endsWithTab) {
    return (
      <List label={texts.tab}>
        <ListItem
          title={texts.tab}
          subtitle={texts.tabText}
          icon={<Tile icon={<InfoIcon />} />}
          data-testid="account-ends-with-tab"
        />
      </List>
    )
  }
  if (user?.hasBackup !== false) return null
  return (
    <List label={texts.backup}>
      <ListItem
        title={texts.backup}
        subtitle={texts.backupText}
        icon={<Tile icon={<ShieldIcon />} />}
        end={<ExternalIcon size={18} />}
        href={accountUrl}
        keepsOpener
        data-testid="account-backup"
      />
    </List>
  )
}

/** The email, which can be changed, or the name at a social provider. */
function LoginRow() {
  const texts = useLoginTexts().account
  const hawser = useHawser()
  const { user, socialProvider } = useAccount()
  if (socialProvider) {
    const via = texts.via(socialNames[socialProvider])
    return (
      <ListItem
        title={user?.userName ?? user?.email ?? via}
        subtitle={via}
        icon={<Tile icon={<SocialMark social={socialProvider} size={20} />} />}
        data-testid="account-social"
      />
    )
  }
  if (!user?.email) return null
  return (
    <ListItem
      title={user.email}
      subtitle={texts.email}
      icon={<Tile icon={<MailIcon />} />}
      end={<ChevronRightIcon size={18} />}
      data-testid="w3m-account-email-update"
      onSelect={() => editEmail(hawser)}
    />
  )
}

/** Switches between the two types of account, on networks that have both. */
function TypeRow() {
  const texts = useLoginTexts().account
  const hawser = useHawser()
  const { user } = useAccount()
  const { activeCaipNetwork: network, chains } = useHawserState(hawser.chain, (state) => state)
  const isLoading = useHawserState(hawser.modal, ({ loading }) => loading)
  if (!network || !user) return null
  const { chainNamespace, caipNetworkId } = network
  const enabled = chains.get(chainNamespace)?.networkState.smartAccountEnabledNetworks ?? []
  if (!enabled.includes(caipNetworkId)) return null
  const isSmart = isSmartAccount(hawser)
  return (
    <ListItem
      title={isSmart ? texts.toEoa : texts.toSmartAccount}
      subtitle={isSmart ? texts.types.smartAccount : texts.types.eoa}
      icon={<Tile icon={isLoading ? <Spinner /> : <RetryIcon />} />}
      busy={isLoading}
      data-testid="account-toggle-preferred-account-type"
      onSelect={() => void setPreferredAccountType(hawser, isSmart ? 'eoa' : 'smartAccount', chainNamespace)}
    />
  )
}

function Tile({ icon }: { icon: ReactNode }) {
  return <span className="hw-icon-tile">{icon}</span>
}
