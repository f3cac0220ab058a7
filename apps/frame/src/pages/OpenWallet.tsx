import { type BackupFactor, readPasskey, type Vault } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'
import { RecoveryKitForm } from './RecoveryKitForm.tsx'

/**
 * Opens the wallet for changes: by a passkey or a password if it has one, even where this browser could open it alone, so that a
 * passer-by cannot.
 */
export function OpenWallet({ vault, opened }: { readonly vault: Vault; readonly opened: () => void }) {
  const { open: texts, secret, failure } = useTexts()
  const [factors, setFactors] = useState<readonly BackupFactor[]>()
  const { error, isPending, run } = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(async () => {
      const backups = await vault.listBackups()
      setFactors(backups.filter(({ kind }) => kind !== 'login'))
    })
  }, [])

  const passkeys = factors?.flatMap(({ credentialId }) => (credentialId ? [credentialId] : [])) ?? []
  const password = factors?.find(({ kind }) => kind === 'password')

  async function usePasskey() {
    const secret = await readPasskey(passkeys)
    const factor = factors?.find(({ credentialId }) => credentialId === secret.credentialId)
    if (!factor) return
    await vault.unlockWith(factor.id, secret)
    opened()
  }

  async function useBrowser() {
    const state = await vault.unlock()
    if (!state.isOpen) throw new Error(failure.cannotOpen)
    opened()
  }

  const restore = (kit: string, password: string) =>
    run(async () => {
      await vault.restore(kit, password)
      opened()
    })

  return (
    <section>
      <h2>{secret.open}</h2>
      <p>{texts.text}</p>
      {passkeys.length > 0 && (
        <button type="button" class="primary" disabled={isPending} onClick={() => run(usePasskey)}>
          {secret.usePasskey}
        </button>
      )}
      {password && (
        <PasswordForm
          label={secret.openByPassword}
          isPending={isPending}
          submit={(text) =>
            run(async () => {
              await vault.unlockWith(password.id, { kind: 'password', password: text })
              opened()
            })
          }
        />
      )}
      {factors?.length === 0 && (
        <button type="button" class="primary" disabled={isPending} onClick={() => run(useBrowser)}>
          {secret.open}
        </button>
      )}
      <details>
        <summary>{texts.byKit}</summary>
        <RecoveryKitForm label={texts.withKit} isPending={isPending} submit={restore} />
      </details>
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
