import type { Vault } from '@hawser/vault'
import { useState } from 'preact/hooks'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { useAction } from '../views/useAction.ts'

/** Deletes the user, after a word that is typed. */
export function DeleteSection({ vault }: { readonly vault: Vault }) {
  const { deletion: texts } = useTexts()
  const [text, setText] = useState('')
  const { error, isPending, run } = useAction()
  return (
    <>
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
    </>
  )
}
