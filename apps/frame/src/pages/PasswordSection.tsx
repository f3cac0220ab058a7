import type { Vault } from '@hawser/vault'
import { useTexts } from '../locale/useLanguage.ts'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'

/** Adds a password that opens the wallet. */
export function PasswordSection({
  vault,
  changed,
  done,
}: {
  readonly vault: Vault
  readonly changed: () => Promise<void>
  readonly done: () => void
}) {
  const { factors: texts, backup } = useTexts()
  const { error, isPending, run } = useAction()
  return (
    <>
      <p class="hint">{backup.passwordText}</p>
      <PasswordForm
        isNew
        label={texts.addPassword}
        isPending={isPending}
        submit={(password) =>
          run(async () => {
            await vault.addFactor({ kind: 'password', password })
            await changed()
            done()
          })
        }
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
