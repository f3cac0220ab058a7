import type { Vault, VaultUser } from '@hawser/vault'
import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { AccountHome } from './AccountHome.tsx'
import { BackupMenu } from './BackupMenu.tsx'
import { ChangesSection } from './ChangesSection.tsx'
import { DeleteSection } from './DeleteSection.tsx'
import { FactorsSection } from './FactorsSection.tsx'
import { IdentitiesSection } from './IdentitiesSection.tsx'
import { KitSection } from './KitSection.tsx'
import type { Network } from './network.ts'
import { OpenWallet } from './OpenWallet.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { Screen } from './Screen.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { SitesSection } from './SitesSection.tsx'
import { SmartAccountSection } from './SmartAccountSection.tsx'
import { useScreens } from './useScreens.ts'
import { WordsSection } from './WordsSection.tsx'

/** The screens of the account, each for one task. */
export type AccountScreen =
  | 'home'
  | 'open'
  | 'backup'
  | 'password'
  | 'kit'
  | 'words'
  | 'factors'
  | 'identities'
  | 'sites'
  | 'smartAccount'
  | 'sessions'
  | 'changes'
  | 'deletion'

/** The screens that change what opens the wallet, or sign for it: it is opened first. */
const locked: readonly AccountScreen[] = [
  'backup',
  'password',
  'kit',
  'words',
  'factors',
  'sites',
  'smartAccount',
]

interface Props {
  readonly vault: Vault
  readonly user: VaultUser
  readonly network: Network
  /** Reads the user again. */
  readonly changed: () => Promise<void>
}

/** The account of a user with a wallet. */
export function AccountScreens({ vault, user, network, changed }: Props) {
  const texts = useTexts()
  const { current, open, back } = useScreens<AccountScreen>('home')
  const [isOpen, setOpen] = useState(false)
  const leave = () => back?.()
  const opened = () => {
    setOpen(true)
    if (current === 'open') leave()
  }

  const screens: Readonly<Record<AccountScreen, readonly [title: string, content: () => ComponentChild]>> = {
    home: [texts.account.title, () => <AccountHome user={user} open={open} />],
    open: [texts.secret.open, () => <OpenWallet vault={vault} opened={opened} />],
    backup: [
      texts.account.backUp,
      () => <BackupMenu vault={vault} user={user} changed={changed} open={open} />,
    ],
    password: [
      texts.factors.addPassword,
      () => <PasswordSection vault={vault} changed={changed} done={leave} />,
    ],
    kit: [texts.backup.kit, () => <KitSection vault={vault} changed={changed} />],
    words: [texts.backup.words, () => <WordsSection vault={vault} changed={changed} done={leave} />],
    factors: [texts.factors.title, () => <FactorsSection vault={vault} user={user} changed={changed} />],
    identities: [
      texts.identities.title,
      () => (
        <IdentitiesSection
          vault={vault}
          user={user}
          isOpen={isOpen}
          changed={changed}
          openWallet={() => open('open')}
        />
      ),
    ],
    sites: [texts.sites.title, () => <SitesSection vault={vault} user={user} network={network} />],
    smartAccount: [
      texts.smartAccount.title,
      () => <SmartAccountSection vault={vault} user={user} network={network} />,
    ],
    sessions: [texts.sessions.title, () => <SessionsSection vault={vault} />],
    changes: [texts.changes.title, () => <ChangesSection user={user} />],
    deletion: [texts.deletion.title, () => <DeleteSection vault={vault} />],
  }
  const shown = locked.includes(current) && !isOpen ? 'open' : current
  const [title, content] = screens[shown]
  return (
    <Screen key={shown} title={title} back={back}>
      {content()}
    </Screen>
  )
}
