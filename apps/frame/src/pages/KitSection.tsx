import type { Vault } from '@hawser/vault'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'

/** Saves a file that opens the wallet without the server. */
export function KitSection({
  vault,
  changed,
}: {
  readonly vault: Vault
  readonly changed: () => Promise<void>
}) {
  const { backup: texts } = useTexts()
  const { error, isPending, run } = useAction()

  async function save(password: string) {
    const kit = await vault.recoveryKit(password)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([kit], { type: 'application/json' }))
    link.download = 'wallet-recovery-kit.json'
    link.click()
    URL.revokeObjectURL(link.href)
    await changed()
  }

  return (
    <>
      <p>
        {fill(texts.kitText, {
          page: (
            <a href="/recover" dir="ltr">
              /recover
            </a>
          ),
        })}
      </p>
      <PasswordForm
        isNew
        label={texts.saveKit}
        isPending={isPending}
        submit={(password) => run(() => save(password))}
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
