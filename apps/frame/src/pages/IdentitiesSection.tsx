import type { Vault, VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../plain.ts'
import { useAction } from '../views/useAction.ts'

const FARCASTER = 'farcaster'

const names: Readonly<Record<string, string>> = {
  email: 'Email',
  farcaster: 'Farcaster',
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
}
const nameOf = (provider: string) => names[provider] ?? provider

/** The accounts that sign in to the wallet. One is added by a login at its provider. */
export function IdentitiesSection({
  vault,
  user: { identities },
  changed,
}: {
  readonly vault: Vault
  readonly user: VaultUser
  readonly changed: () => Promise<void>
}) {
  const [providers, setProviders] = useState<readonly string[]>([])
  /** The account that is being added, and where its owner proves it. */
  const [waiting, setWaiting] = useState<{ readonly provider: string; readonly url: string }>()
  const { error, isPending, run } = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(async () => setProviders((await vault.listProviders()).socials))
  }, [])

  async function add(provider: string) {
    // Browsers open a window only while a click is handled.
    const popup = window.open('/loading')
    try {
      const url =
        provider === FARCASTER ? (await vault.startFarcaster()).url : (await vault.startSocial(provider)).uri
      if (popup) popup.location = url
      setWaiting({ provider, url })
      await vault.link()
      await changed()
    } finally {
      popup?.close()
      setWaiting(undefined)
    }
  }

  return (
    <section>
      <h2>How you sign in</h2>
      <ul class="rows">
        {identities.map(({ provider = '', subject = '', name = '' }) => (
          <li key={provider + subject}>
            <span>
              {nameOf(provider)}: {visibleText(name || subject)}
            </span>
            {provider !== 'email' && identities.length > 1 && (
              <button
                type="button"
                aria-label={`Remove ${nameOf(provider)}`}
                disabled={isPending}
                onClick={() =>
                  run(async () => {
                    await vault.unlinkIdentity(provider, subject)
                    await changed()
                  })
                }
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {waiting ? (
        <>
          <p role="status">
            Sign in with {nameOf(waiting.provider)} in the window that opened, or by{' '}
            <a href={waiting.url} target="_blank" rel="noreferrer">
              this link
            </a>
            .
          </p>
          <button type="button" onClick={() => vault.cancelLink()}>
            Cancel
          </button>
        </>
      ) : (
        <div class="choices">
          {providers
            .filter((provider) => !identities.some((identity) => identity.provider === provider))
            .map((provider) => (
              <button
                key={provider}
                type="button"
                disabled={isPending}
                onClick={() => run(() => add(provider))}
              >
                Add {nameOf(provider)}
              </button>
            ))}
        </div>
      )}
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}
