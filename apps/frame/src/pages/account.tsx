import type { Language } from '@hawser/texts/frame/language'
import { connectVault, type Vault, type VaultUser } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { requestHandover } from '../handover.ts'
import { useTexts } from '../locale/useLanguage.ts'
import { startVault } from '../vaultHost.ts'
import { useAction } from '../views/useAction.ts'
import { AccountScreens } from './AccountScreens.tsx'
import { LoginForm } from './LoginForm.tsx'
import { mountScreens } from './mount.tsx'
import { createNetwork, type Network } from './network.ts'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'
import { Screen } from './Screen.tsx'

/** Draws the page where a user backs up the wallet, and manages what opens it. */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const signedOut = () => location.reload()
  const handover = await requestHandover()
  const vault = handover
    ? connectVault(handover.port, signedOut)
    : startVault({ projectId, pageOrigin: undefined }, signedOut).vault
  const language = await loading
  const account = <Account vault={vault} network={createNetwork(projectId)} />
  mountScreens(language, language.texts.account.title, account, handover?.site)
}

/** Signs in, and shows the screens of the account. */
function Account({ vault, network }: { readonly vault: Vault; readonly network: Network }) {
  const { account: texts, wait } = useTexts()
  const [user, setUser] = useState<VaultUser>()
  const [isSignedIn, setSignedIn] = useState<boolean>()

  async function refresh() {
    const signedIn = await vault.isSignedIn()
    setSignedIn(signedIn)
    if (signedIn) setUser(await vault.getUser())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    refresh().catch(() => setSignedIn(false))
  }, [])

  if (isSignedIn === false)
    return (
      <Screen title={texts.title}>
        <LoginForm vault={vault} signedIn={refresh} />
      </Screen>
    )
  if (!isSignedIn || !user)
    return (
      <Screen title={texts.title}>
        <p role="status">{wait}</p>
      </Screen>
    )
  if (!user.addresses) return <NoWallet vault={vault} restored={refresh} />
  return <AccountScreens vault={vault} user={user} network={network} changed={refresh} />
}

/** Creates the wallet of a recovery kit for a user who has none. */
function NoWallet({ vault, restored }: { readonly vault: Vault; readonly restored: () => Promise<void> }) {
  const { account: texts } = useTexts()
  const { error, isPending, run } = useAction()
  return (
    <Screen title={texts.title}>
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
    </Screen>
  )
}
