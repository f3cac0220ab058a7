import type { Vault } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../plain.ts'
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
      <h2>Backup</h2>
      <p>Whoever has the 24 words has the wallet. No site and no support ever needs them.</p>
      {words ? (
        <>
          <Mnemonic words={words} />
          <button type="button" onClick={() => setWords('')}>
            Hide the words
          </button>
        </>
      ) : (
        <button
          type="button"
          disabled={isPending}
          onClick={() => run(async () => setWords(await vault.exportMnemonic()))}
        >
          Show the 24 words
        </button>
      )}
      <h3>Recovery kit</h3>
      <p>
        A file that opens the wallet with a password of its own. The page <a href="/recover">/recover</a>{' '}
        reads it without a login.
      </p>
      <PasswordForm
        isNew
        label="Save a recovery kit"
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
  const [sessions, setSessions] = useState<Sessions>([])
  const { error, isPending, run } = useAction()
  const reload = async () => setSessions(await vault.listSessions())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(reload)
  }, [])

  return (
    <section>
      <h2>Where you are signed in</h2>
      <ul class="rows">
        {sessions.map(({ id = '', browser = '', system = '', site = '', current }) => (
          <li key={id}>
            <span>
              {visibleText(`${browser} on ${system}, ${site}`)}
              {current && ' (this session)'}
            </span>
            {!current && (
              <button
                type="button"
                disabled={isPending}
                onClick={() =>
                  run(async () => {
                    await vault.revokeSession(id)
                    await reload()
                  })
                }
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      <button
        type="button"
        disabled={isPending}
        onClick={() =>
          run(async () => {
            await vault.revokeAllSessions()
            location.reload()
          })
        }
      >
        Sign out everywhere
      </button>
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}

const CONFIRMATION = 'delete'

/** Deletes the user, after a word that is typed. */
export function DeleteSection({ vault }: { readonly vault: Vault }) {
  const [text, setText] = useState('')
  const { error, isPending, run } = useAction()
  return (
    <section>
      <h2>Delete your wallet</h2>
      <p>
        Without the 24 words or a recovery kit, all that the wallet owns is lost. Type{' '}
        <strong>{CONFIRMATION}</strong> to confirm.
      </p>
      <label>
        Confirmation
        <input
          value={text}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="danger"
        disabled={isPending || text !== CONFIRMATION}
        onClick={() =>
          run(async () => {
            await vault.deleteUser()
            location.reload()
          })
        }
      >
        Delete the wallet for good
      </button>
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
