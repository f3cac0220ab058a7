import { contactsToCopy, copyContacts, shareWalletContacts } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useContactsTexts } from '../../locale/useContactsTexts.ts'

/** What the embedded wallet has to do with the contacts: it keeps them, or offers to. Nothing without such a wallet. */
export function WalletContacts() {
  const { wallet: texts } = useContactsTexts()
  const hawser = useHawser()
  const { wallet, problem } = useHawserState(hawser.contacts, (state) => state)
  const [isPending, setPending] = useState(false)
  const missing = contactsToCopy(hawser).length

  async function run(action: typeof copyContacts) {
    setPending(true)
    await action(hawser).finally(() => setPending(false))
  }
  if (!wallet) return null
  return (
    <>
      <p className="hw-note" data-testid="contacts-wallet">
        {wallet === 'shared' ? texts.kept : texts.offer}
      </p>
      {wallet === 'apart' && (
        <Button
          wide
          disabled={isPending}
          data-testid="contacts-share"
          onClick={() => void run(shareWalletContacts)}
        >
          {texts.use}
        </Button>
      )}
      {missing > 0 && (
        <Button wide disabled={isPending} data-testid="contacts-copy" onClick={() => void run(copyContacts)}>
          {texts.copy(missing)}
        </Button>
      )}
      {problem && (
        <p className="hw-note" role="alert" data-testid="contacts-problem">
          {texts.problem[problem]}
        </p>
      )}
    </>
  )
}
