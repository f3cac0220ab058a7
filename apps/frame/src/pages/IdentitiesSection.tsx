import type { Vault, VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { visibleText } from '../plain.ts'
import { providerName } from '../providerNames.ts'
import { storeStartedLogin } from '../startedLogins.ts'
import { useAction } from '../views/useAction.ts'

const EMAIL = 'email'
const FARCASTER = 'farcaster'

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
  const { identities: texts, remove, cancel } = useTexts()
  const nameOf = (provider: string) => (provider === EMAIL ? texts.email : providerName(provider))
  const [providers, setProviders] = useState<readonly string[]>([])
  /** The account that is being added, and where its owner proves it. */
  const [waiting, setWaiting] = useState<{ readonly provider: string; readonly url: string }>()
  const { error, isPending, run } = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(async () => setProviders((await vault.listProviders()).socials))
  }, [])

  async function startSocial(provider: string) {
    const { uri, state } = await vault.startSocial(provider)
    storeStartedLogin(state)
    return uri
  }

  async function add(provider: string) {
    // Browsers open a window only while a click is handled.
    const popup = window.open('/loading')
    try {
      const url = provider === FARCASTER ? (await vault.startFarcaster()).url : await startSocial(provider)
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
      <h2>{texts.title}</h2>
      <ul class="rows">
        {identities.map(({ provider = '', subject = '', name = '' }) => (
          <li key={provider + subject}>
            <span>{texts.row(nameOf(provider), visibleText(name || subject))}</span>
            {provider !== EMAIL && identities.length > 1 && (
              <button
                type="button"
                aria-label={texts.remove(nameOf(provider))}
                disabled={isPending}
                onClick={() =>
                  run(async () => {
                    await vault.unlinkIdentity(provider, subject)
                    await changed()
                  })
                }
              >
                {remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {waiting ? (
        <>
          <p role="status">
            {fill(texts.waiting, {
              provider: nameOf(waiting.provider),
              link: (
                <a href={waiting.url} target="_blank" rel="noreferrer">
                  {texts.link}
                </a>
              ),
            })}
          </p>
          <button type="button" onClick={() => vault.cancelLink()}>
            {cancel}
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
                {texts.add(nameOf(provider))}
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
