import { visibleText } from '@hawser/texts/format/visibleText'
import type { Vault, VaultUser } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { fill } from '../locale/fill.tsx'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { providerName } from '../providerNames.ts'
import { storeStartedLogin } from '../startedLogins.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { useAction } from '../views/useAction.ts'
import { EmailForm } from './EmailForm.tsx'

const EMAIL = 'email'
const FARCASTER = 'farcaster'

type Identity = VaultUser['identities'][number]

const isStaying = ({ startsAt, endsAt }: Identity) => !Number(startsAt ?? 0) && !Number(endsAt ?? 0)

/** The accounts that sign in to the wallet. One is added by a login at its provider. */
export function IdentitiesSection({
  vault,
  user: { identities, email },
  isOpen,
  changed,
  openWallet,
}: {
  readonly vault: Vault
  readonly user: VaultUser
  /** Whether the wallet was opened on this page: what it signs is removed at once. */
  readonly isOpen: boolean
  readonly changed: () => Promise<void>
  /** Shows the screen that opens the wallet. */
  readonly openWallet: () => void
}) {
  const { identities: texts, secret, cancel } = useTexts()
  const [providers, setProviders] = useState<readonly string[]>([])
  /** The account that is being added, and where its owner proves it. */
  const [waiting, setWaiting] = useState<{ readonly provider: string; readonly url: string }>()
  const { error, isPending, run } = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(async () => setProviders((await vault.listProviders()).socials))
  }, [])

  const change = (action: () => Promise<void>) =>
    run(async () => {
      await action()
      await changed()
    })
  /** Whether no other identity stays. */
  const isOnly = (identity: Identity) => identities.every((other) => other === identity || !isStaying(other))

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
    <>
      {!isOpen && (
        <>
          <p class="hint">{texts.text}</p>
          <button type="button" onClick={openWallet}>
            {secret.open}
          </button>
        </>
      )}
      <ul class="rows">
        {identities.map((identity) => (
          <IdentityRow
            key={`${identity.provider}${identity.subject}`}
            identity={identity}
            canRemove={!isOnly(identity) && (isOpen || isStaying(identity))}
            isPending={isPending}
            remove={() => change(() => vault.unlinkIdentity(identity.provider ?? '', identity.subject ?? ''))}
            keep={() => change(() => vault.keepIdentity(identity.provider ?? '', identity.subject ?? ''))}
          />
        ))}
      </ul>
      {waiting ? (
        <>
          <p role="status">
            {fill(texts.waiting, {
              provider: providerName(waiting.provider),
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
              <GuardedButton key={provider} disabled={isPending} onClick={() => run(() => add(provider))}>
                {texts.add(providerName(provider))}
              </GuardedButton>
            ))}
        </div>
      )}
      <EmailForm vault={vault} email={email} changed={changed} />
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}

/** One account, and until or from when it signs in. */
function IdentityRow({
  identity: { provider = '', subject = '', name = '', startsAt = '0', endsAt = '0' },
  canRemove,
  isPending,
  remove,
  keep,
}: {
  readonly identity: Identity
  readonly canRemove: boolean
  readonly isPending: boolean
  readonly remove: () => void
  readonly keep: () => void
}) {
  const { identities: texts, remove: removeText, cancel } = useTexts()
  const tag = useTag()
  const shown = provider === EMAIL ? texts.email : providerName(provider)
  // A user can have two emails for a day.
  const named = provider === EMAIL ? visibleText(subject) : shown
  const timeOf = (seconds: string) => new Date(Number(seconds) * 1_000).toLocaleString(tag)
  const [waits, ends] = [Number(startsAt) > 0, Number(endsAt) > 0]
  return (
    <li>
      <div>
        {texts.row(shown, visibleText(name || subject))}
        {waits && <p class="hint">{texts.starts(timeOf(startsAt))}</p>}
        {ends && <p class="hint">{texts.ends(timeOf(endsAt))}</p>}
      </div>
      {ends && (
        <GuardedButton aria-label={texts.keepOf(named)} disabled={isPending} onClick={keep}>
          {texts.keep}
        </GuardedButton>
      )}
      {waits && (
        <GuardedButton aria-label={texts.cancelOf(named)} disabled={isPending} onClick={remove}>
          {cancel}
        </GuardedButton>
      )}
      {!waits && canRemove && (
        <GuardedButton aria-label={texts.remove(named)} disabled={isPending} onClick={remove}>
          {removeText}
        </GuardedButton>
      )}
    </li>
  )
}
