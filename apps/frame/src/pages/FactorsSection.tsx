import type { Vault, VaultUser } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { factorText } from '../locale/deviceText.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
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
  const { factors: texts, identities, remove } = allTexts
  const tag = useTag()
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

  return (
    <>
      {!user.hasBackup && <p class="warning">{texts.noBackup}</p>}
      <ul class="rows">
        {factors.map((factor) => {
          const { id = '', createdAt } = factor
          const text = factorText(factor, allTexts)
          return (
            <li key={id}>
              <div>
                {text}
                {createdAt && <p class="hint">{texts.added(dateText(createdAt, tag))}</p>}
              </div>
              <GuardedButton
                aria-label={identities.remove(text)}
                disabled={isPending}
                onClick={() => change(() => vault.removeFactor(id))}
              >
                {remove}
              </GuardedButton>
            </li>
          )
        })}
      </ul>
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}

/** @param seconds Unix time. */
function dateText(seconds: string | number, tag: string): string {
  return new Date(Number(seconds) * 1_000).toLocaleDateString(tag, { dateStyle: 'medium' })
}
