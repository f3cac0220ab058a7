import { useState } from 'preact/hooks'
import type { Drawing } from './draw.tsx'

/** Says that this browser has no wallet, with the link to open in another one. */
export function NoWallet({ drawing: { language, link } }: { readonly drawing: Drawing }) {
  const { noWallet } = language.texts
  const [said, setSaid] = useState('')

  async function copy(): Promise<void> {
    const clipboard = (navigator as Partial<Navigator>).clipboard
    try {
      if (!clipboard) throw new Error('no clipboard')
      await clipboard.writeText(link)
      setSaid(noWallet.copied)
    } catch {
      setSaid(noWallet.notCopied)
    }
  }

  return (
    <>
      <div>
        <h1 tabIndex={-1}>{noWallet.title}</h1>
        <p>{noWallet.text}</p>
      </div>
      <button type="button" class="first" onClick={copy}>
        {noWallet.copy}
      </button>
      <p aria-live="polite">{said}</p>
      <p class="link" dir="ltr">
        {link}
      </p>
    </>
  )
}
