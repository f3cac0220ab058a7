import type { Vault } from '@hawser/vault'
import { useTexts } from '../locale/useLanguage.ts'
import { useAction } from '../views/useAction.ts'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'
import { SecretForm } from './SecretForm.tsx'

/** Opens the wallet for changes. */
export function OpenWallet({ vault, opened }: { readonly vault: Vault; readonly opened: () => void }) {
  const { open: texts, secret } = useTexts()
  const { error, isPending, run } = useAction()
  const restore = (kit: string, password: string) =>
    run(async () => {
      await vault.restore(kit, password)
      opened()
    })

  return (
    <>
      <p>{texts.text}</p>
      <SecretForm vault={vault} label={secret.open} entered={opened} />
      <details>
        <summary>{texts.byKit}</summary>
        <RecoveryKitForm label={texts.withKit} isPending={isPending} submit={restore} />
      </details>
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
