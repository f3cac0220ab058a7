import { type BackupFactor, readPasskey, type Vault } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'

interface Props {
  readonly vault: Vault
  /** Of the button of a wallet that has neither a passkey nor a password. */
  readonly label: string
  /** Called once a secret, or without one the browser, has opened the wallet. */
  readonly entered: () => Promise<void> | void
}

/**
 * Opens the wallet by a passkey or a password if it has one, even where this browser could open it alone, so that a passer-by cannot.
 */
export function SecretForm({ vault, label, entered }: Props) {
  const { secret, failure } = useTexts()
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
    await entered()
  }

  async function usePassword(id: string, text: string) {
    await vault.unlockWith(id, { kind: 'password', password: text })
    await entered()
  }

  async function useBrowser() {
    const state = await vault.unlock()
    if (!state.isOpen) throw new Error(failure.cannotOpen)
    await entered()
  }

  return (
    <>
      {passkeys.length > 0 && (
        <GuardedButton class="primary" disabled={isPending} onClick={() => run(usePasskey)}>
          {secret.usePasskey}
        </GuardedButton>
      )}
      {password && (
        <PasswordForm
          label={secret.openByPassword}
          isPending={isPending}
          submit={(text) => run(() => usePassword(password.id, text))}
        />
      )}
      {factors?.length === 0 && (
        <GuardedButton class="primary" disabled={isPending} onClick={() => run(useBrowser)}>
          {label}
        </GuardedButton>
      )}
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
