import type { Language } from '@hawser/texts/frame/language'
import type { Vault } from '@hawser/vault'
import { useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { useTexts } from '../locale/useLanguage.ts'
import { startVault } from '../vaultHost.ts'
import { useAction } from '../views/useAction.ts'
import { Mnemonic } from './Mnemonic.tsx'
import { mount } from './mount.tsx'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'

/** Draws the page that reads a recovery kit. It sends nothing to the server, and needs no login. */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)
  const language = await loading
  mount(language, language.texts.recover.title, <Recover vault={vault} />)
}

function Recover({ vault }: { readonly vault: Vault }) {
  const { recover: texts, backup } = useTexts()
  const [words, setWords] = useState('')
  const { error, isPending, run } = useAction()
  if (words)
    return (
      <>
        <p>{texts.import}</p>
        <Mnemonic words={words} />
      </>
    )
  return (
    <>
      <p>{texts.text}</p>
      <RecoveryKitForm
        label={backup.show}
        isPending={isPending}
        submit={(kit, password) => run(async () => setWords(await vault.mnemonicOfKit(kit, password)))}
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
