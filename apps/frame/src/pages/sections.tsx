import type { Vault } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { deviceText } from '../locale/deviceText.ts'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { visibleText } from '../plain.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { PasswordForm } from '../views/PasswordForm.tsx'
import { useAction } from '../views/useAction.ts'
import { Mnemonic } from './Mnemonic.tsx'

type Sessions = Awaited<ReturnType<Vault['listSessions']>>

/** The words of the wallet, and a file that opens it without the server. */
export function BackupSection({
  vault,
  changed,
}: {
  readonly vault: Vault
  readonly changed: () => Promise<void>
}) {
  const { backup: texts } = useTexts()
  const [words, setWords] = useState('')
  const { error, isPending, run } = useAction()

  async function saveKit(password: string) {
    const kit = await vault.recoveryKit(password)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([kit], { type: 'application/json' }))
    link.download = 'wallet-recovery-kit.json'
    link.click()
    URL.revokeObjectURL(link.href)
    await changed()
  }

  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      {words ? (
        <>
          <Mnemonic words={words} />
          <button type="button" onClick={() => setWords('')}>
            {texts.hide}
          </button>
        </>
      ) : (
        <button
          type="button"
          disabled={isPending}
          onClick={() => run(async () => setWords(await vault.exportMnemonic()))}
        >
          {texts.show}
        </button>
      )}
      <h3>{texts.kit}</h3>
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
        submit={(password) => run(() => saveKit(password))}
      />
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}

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
    <section>
      <h2>{texts.title}</h2>
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
    </section>
  )
}

/** Deletes the user, after a word that is typed. */
export function DeleteSection({ vault }: { readonly vault: Vault }) {
  const { deletion: texts } = useTexts()
  const [text, setText] = useState('')
  const { error, isPending, run } = useAction()
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{fill(texts.text, { word: <strong>{texts.word}</strong> })}</p>
      <label>
        {texts.confirmation}
        <input
          value={text}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <GuardedButton
        class="danger"
        disabled={isPending || text.trim() !== texts.word}
        onClick={() =>
          run(async () => {
            await vault.deleteUser()
            location.reload()
          })
        }
      >
        {texts.delete}
      </GuardedButton>
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
