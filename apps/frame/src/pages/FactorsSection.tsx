import { createPasskey, hasPasskeys, type Vault, type VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../plain.ts'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'

type Factors = Awaited<ReturnType<Vault['listFactors']>>

const kinds: Readonly<Record<string, string>> = {
  FACTOR_KIND_DEVICE: 'Browser',
  FACTOR_KIND_PASSKEY: 'Passkey',
  FACTOR_KIND_PASSWORD: 'Password',
  FACTOR_KIND_LOGIN: 'Login',
}

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
      <h2>What opens your wallet</h2>
      {!user.hasBackup && (
        <p class="warning">
          Only browsers that you used can open it. Add a passkey or a password, or you may lose it.
        </p>
      )}
      <ul class="rows">
        {factors.map(({ id = '', kind = '', label = '', currentDevice }) => (
          <li key={id}>
            <span>
              {kinds[kind] ?? kind}: {visibleText(label)}
              {currentDevice && ' (this browser)'}
            </span>
            <button type="button" disabled={isPending} onClick={() => change(() => vault.removeFactor(id))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      {hasPasskeys() && (
        <button type="button" class="primary" disabled={isPending} onClick={() => change(addPasskey)}>
          Add a passkey
        </button>
      )}
      <PasswordForm
        isNew
        label="Add a password"
        isPending={isPending}
        submit={(password) => change(() => vault.addFactor({ kind: 'password', password }, 'Password'))}
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
