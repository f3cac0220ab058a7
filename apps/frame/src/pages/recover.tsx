import type { Vault } from '@hawser/frame/wallet'
import { useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { startVault } from '../vaultHost.ts'
import { useAction } from '../views/useAction.ts'
import { Mnemonic } from './Mnemonic.tsx'
import { mount } from './mount.tsx'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'

/** Draws the page that reads a recovery kit. It sends nothing to the server, and needs no login. */
export function start({ projectId }: FrameConfig): void {
  const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)
  mount('Open a recovery kit', <Recover vault={vault} />)
}

function Recover({ vault }: { readonly vault: Vault }) {
  const [words, setWords] = useState('')
  const { error, isPending, run } = useAction()
  if (words)
    return (
      <section>
        <p>Enter these words in any wallet that can import them. Nothing was sent from this page.</p>
        <Mnemonic words={words} />
      </section>
    )
  return (
    <section>
      <p>A recovery kit has the 24 words of your wallet. Choose the file, and enter its password.</p>
      <RecoveryKitForm
        label="Show the 24 words"
        isPending={isPending}
        submit={(kit, password) => run(async () => setWords(await vault.mnemonicOfKit(kit, password)))}
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
