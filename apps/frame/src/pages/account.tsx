import { connectVault, type Vault, type VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { requestHandover } from '../handover.ts'
import type { Language } from '../locale/language.ts'
import { useTexts } from '../locale/useLanguage.ts'
import { startVault } from '../vaultHost.ts'
import { Fact } from '../views/Fact.tsx'
import { useAction } from '../views/useAction.ts'
import { ChangesSection } from './ChangesSection.tsx'
import { FactorsSection } from './FactorsSection.tsx'
import { IdentitiesSection } from './IdentitiesSection.tsx'
import { LoginForm } from './LoginForm.tsx'
import { mount } from './mount.tsx'
import { createNetwork, type Network } from './network.ts'
import { OpenWallet } from './OpenWallet.tsx'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'
import { SitesSection } from './SitesSection.tsx'
import { SmartAccountSection } from './SmartAccountSection.tsx'
import { BackupSection, DeleteSection, SessionsSection } from './sections.tsx'

/** Draws the page where a user exports the wallet, and manages what opens it. */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const signedOut = () => location.reload()
  const port = await requestHandover()
  const vault = port
    ? connectVault(port, signedOut)
    : startVault({ projectId, pageOrigin: undefined }, signedOut).vault
  const language = await loading
  mount(language, language.texts.account.title, <Account vault={vault} network={createNetwork(projectId)} />)
}

/** Signs in, opens the wallet, and shows the sections. */
function Account({ vault, network }: { readonly vault: Vault; readonly network: Network }) {
  const { account: texts, wait } = useTexts()
  const [user, setUser] = useState<VaultUser>()
  const [isSignedIn, setSignedIn] = useState<boolean>()
  const [isOpen, setOpen] = useState(false)

  async function refresh() {
    const signedIn = await vault.isSignedIn()
    setSignedIn(signedIn)
    if (signedIn) setUser(await vault.getUser())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    refresh().catch(() => setSignedIn(false))
  }, [])

  if (isSignedIn === undefined) return <p role="status">{wait}</p>
  if (!isSignedIn) return <LoginForm vault={vault} signedIn={refresh} />
  if (!user) return <p role="status">{wait}</p>
  if (!user.addresses) return <NoWallet vault={vault} restored={refresh} />
  return (
    <>
      <dl class="facts">
        <Fact name={texts.signedInAs}>{user.email || user.userName}</Fact>
        <Fact name={texts.address} isAddress>
          {user.addresses.eip155}
        </Fact>
      </dl>
      {isOpen ? (
        <>
          <FactorsSection vault={vault} user={user} changed={refresh} />
          <BackupSection vault={vault} changed={refresh} />
          <SitesSection vault={vault} user={user} network={network} />
          <SmartAccountSection vault={vault} user={user} network={network} />
        </>
      ) : (
        <OpenWallet vault={vault} opened={() => setOpen(true)} />
      )}
      <ChangesSection user={user} />
      <IdentitiesSection vault={vault} user={user} isOpen={isOpen} changed={refresh} />
      <SessionsSection vault={vault} />
      <DeleteSection vault={vault} />
    </>
  )
}

/** Creates the wallet of a recovery kit for a user who has none. */
function NoWallet({ vault, restored }: { readonly vault: Vault; readonly restored: () => Promise<void> }) {
  const { account: texts } = useTexts()
  const { error, isPending, run } = useAction()
  return (
    <section>
      <p>{texts.noWallet}</p>
      <RecoveryKitForm
        label={texts.restore}
        isPending={isPending}
        submit={(kit, password) =>
          run(async () => {
            await vault.restore(kit, password)
            await restored()
          })
        }
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
