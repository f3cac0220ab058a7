/** The words of a wallet, numbered. */
export function Mnemonic({ words }: { readonly words: string }) {
  return (
    <ol class="mnemonic" aria-label="Words of the wallet">
      {words.split(' ').map((word, at) => (
        <li key={at}>{word}</li>
      ))}
    </ol>
  )
}
