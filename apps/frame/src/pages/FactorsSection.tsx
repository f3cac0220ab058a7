import { createPasskey, hasPasskeys, type Vault, type VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { factorLabel } from '../locale/deviceText.ts'
import { textFor } from '../locale/texts.ts'
import { useTexts } from '../locale/useLanguage.ts'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'

type Factors = Awaited<ReturnType<Vault['listFactors']>>

/** What opens the wallet: each of them alone. */
export function FactorsSection({
  vault,
  user,
  changed,
}: {
  readonly vault: Vault
  readonly user: VaultUser
  readonly changed: () => Promise<void>
}) {
  const allTexts = useTexts()
  const { factors: texts, remove } = allTexts
  const [factors, setFactors] = useState<Factors>([])
  const { error, isPending, run } = useAction()
  const reload = async () => setFactors(await vault.listFactors())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(reload)
  }, [])

  const change = (action: () => Promise<void>) =>
    run(async () => {
      await action()
      await Promise.all([reload(), changed()])
    })
  const addPasskey = async () =>
    vault.addFactor(await createPasskey(user.id, user.email || user.userName), 'Passkey')

  return (
    <section>
      <h2>{texts.title}</h2>
      {!user.hasBackup && <p class="warning">{texts.noBackup}</p>}
      <ul class="rows">
        {factors.map(({ id = '', kind = '', label = '', currentDevice }) => (
          <li key={id}>
            <span>
              {(currentDevice ? texts.thisRow : texts.row)(
                textFor(texts.kind, kind) ?? kind,
                factorLabel(label, allTexts),
              )}
            </span>
            <button type="button" disabled={isPending} onClick={() => change(() => vault.removeFactor(id))}>
              {remove}
            </button>
          </li>
        ))}
      </ul>
      {hasPasskeys() && (
        <button type="button" class="primary" disabled={isPending} onClick={() => change(addPasskey)}>
          {texts.addPasskey}
        </button>
      )}
      <PasswordForm
        isNew
        label={texts.addPassword}
        isPending={isPending}
        submit={(password) => change(() => vault.addFactor({ kind: 'password', password }, 'Password'))}
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
