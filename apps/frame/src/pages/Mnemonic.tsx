import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'

/** The words of a wallet, numbered. They are covered until the user shows them, and whenever the window loses the focus. */
export function Mnemonic({ words }: { readonly words: string }) {
  const { backup } = useTexts()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const cover = () => setShown(false)
    window.addEventListener('blur', cover)
    return () => window.removeEventListener('blur', cover)
  }, [])
  return (
    <>
      <p class="hint">{backup.covered}</p>
      <ol
        class={isShown ? 'mnemonic box' : 'mnemonic box covered'}
        aria-label={backup.words}
        dir="ltr"
        lang="en"
      >
        {words.split(' ').map((word, at) => (
          <li key={at}>{isShown ? word : '••••••'}</li>
        ))}
      </ol>
      <button type="button" onClick={() => setShown(!isShown)}>
        {isShown ? backup.hide : backup.uncover}
      </button>
    </>
  )
}
