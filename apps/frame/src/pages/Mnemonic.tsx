import { useTexts } from '../locale/useLanguage.ts'

/** The words of a wallet, numbered. */
export function Mnemonic({ words }: { readonly words: string }) {
  const { backup } = useTexts()
  return (
    <ol class="mnemonic" aria-label={backup.words} dir="ltr" lang="en">
      {words.split(' ').map((word, at) => (
        <li key={at}>{word}</li>
      ))}
    </ol>
  )
}
