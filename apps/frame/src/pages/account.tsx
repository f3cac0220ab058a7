import { connectVault, type Vault, type VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { requestHandover } from '../handover.ts'
import { startVault } from '../vaultHost.ts'
import { useAction } from '../views/useAction.ts'
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
export async function start({ projectId }: FrameConfig): Promise<void> {
  const signedOut = () => location.reload()
  const port = await requestHandover()
  const vault = port
    ? connectVault(port, signedOut)
    : startVault({ projectId, pageOrigin: undefined }, signedOut).vault
  mount('Your wallet', <Account vault={vault} network={createNetwork(projectId)} />)
}

/** Signs in, opens the wallet, and shows the sections. */
function Account({ vault, network }: { readonly vault: Vault; readonly network: Network }) {
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

  if (isSignedIn === undefined) return <p role="status">Please wait a moment.</p>
  if (!isSignedIn) return <LoginForm vault={vault} signedIn={refresh} />
  if (!user) return <p role="status">Please wait a moment.</p>
  if (!user.addresses) return <NoWallet vault={vault} restored={refresh} />
  return (
    <>
      <dl class="facts">
        <dt>Signed in as</dt>
        <dd>{user.email || user.userName}</dd>
        <dt>Address</dt>
        <dd class="address">{user.addresses.eip155}</dd>
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
      <IdentitiesSection vault={vault} user={user} changed={refresh} />
      <SessionsSection vault={vault} />
      <DeleteSection vault={vault} />
    </>
  )
}

/** Creates the wallet of a recovery kit for a user who has none. */
function NoWallet({ vault, restored }: { readonly vault: Vault; readonly restored: () => Promise<void> }) {
  const { error, isPending, run } = useAction()
  return (
    <section>
      <p>
        You have no wallet yet. Sign in at a site that uses this wallet, or restore a wallet from its recovery
        kit.
      </p>
      <RecoveryKitForm
        label="Restore the wallet"
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
