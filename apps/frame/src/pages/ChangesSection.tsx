import { textFor } from '@hawser/texts/translated'
import type { VaultUser } from '@hawser/vault'
import { fill } from '../locale/fill.tsx'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { providerName } from '../providerNames.ts'

/** The last changes of how the user signs in, and of what opens the wallet, from any device. */
export function ChangesSection({ user: { changes } }: { readonly user: VaultUser }) {
  const { changes: texts, identities } = useTexts()
  const tag = useTag()
  return (
    <>
      <p>{texts.text}</p>
      <ul class="rows">
        {changes.map(({ kind = '', provider = '', at = 0 }, index) => (
          <li key={index}>
            <div>
              {fill(textFor<string>(texts.kind, kind) ?? '', {
                provider: provider === 'email' ? identities.email : providerName(provider),
              })}
              <p class="hint">{new Date(Number(at) * 1_000).toLocaleString(tag)}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
