import { visibleText } from '@hawser/texts/format/visibleText'
import type { Vault } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { deviceText } from '../locale/deviceText.ts'
import { useTexts } from '../locale/useLanguage.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { useAction } from '../views/useAction.ts'

type Sessions = Awaited<ReturnType<Vault['listSessions']>>

/** The devices that are signed in. */
export function SessionsSection({ vault }: { readonly vault: Vault }) {
  const allTexts = useTexts()
  const { sessions: texts } = allTexts
  const [sessions, setSessions] = useState<Sessions>([])
  const { error, isPending, run } = useAction()
  const reload = async () => setSessions(await vault.listSessions())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(reload)
  }, [])

  return (
    <>
      <ul class="rows">
        {sessions.map(({ id = '', browser = '', system = '', site = '', current }) => (
          <li key={id}>
            <span id={`session-${id}`}>
              {(current ? texts.thisRow : texts.row)(
                deviceText(browser, allTexts),
                deviceText(system, allTexts),
                visibleText(site),
              )}
            </span>
            {!current && (
              <GuardedButton
                id={`sign-out-${id}`}
                aria-labelledby={`sign-out-${id} session-${id}`}
                disabled={isPending}
                onClick={() =>
                  run(async () => {
                    await vault.revokeSession(id)
                    await reload()
                  })
                }
              >
                {texts.signOut}
              </GuardedButton>
            )}
          </li>
        ))}
      </ul>
      <GuardedButton
        disabled={isPending}
        onClick={() =>
          run(async () => {
            await vault.revokeAllSessions()
            location.reload()
          })
        }
      >
        {texts.signOutEverywhere}
      </GuardedButton>
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
