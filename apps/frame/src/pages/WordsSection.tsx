import type { Vault } from '@hawser/vault'
import { useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { GuardedButton } from '../views/GuardedButton.tsx'
import { useAction } from '../views/useAction.ts'
import { Mnemonic } from './Mnemonic.tsx'
import { SecretForm } from './SecretForm.tsx'

/** The 24 words of the wallet: after a question and a secret, and covered until they are asked for. */
export function WordsSection({
  vault,
  changed,
  done,
}: {
  readonly vault: Vault
  readonly changed: () => Promise<void>
  readonly done: () => void
}) {
  const { backup: texts } = useTexts()
  const [words, setWords] = useState('')
  const { error, isPending, run } = useAction()
  const read = async () => setWords(await vault.exportMnemonic())
  const record = async () => {
    await vault.recordBackup()
    await changed()
    done()
  }

  if (words)
    return (
      <>
        <Mnemonic words={words} />
        <GuardedButton class="primary" disabled={isPending} onClick={() => run(record)}>
          {texts.wrote}
        </GuardedButton>
        <p class="notice" role="alert">
          {error}
        </p>
      </>
    )
  return (
    <>
      <div class="warning danger">
        <p>
          <strong>{texts.looking}</strong>
        </p>
        <p>{texts.lookingText}</p>
      </div>
      <SecretForm vault={vault} label={texts.show} entered={read} />
    </>
  )
}
