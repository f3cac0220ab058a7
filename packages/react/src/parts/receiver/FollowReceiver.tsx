import { followReceiver, SwitchNetworkError, showToast, thrownMessage } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useReceiverTexts } from '../../locale/useReceiverTexts.ts'

export interface FollowReceiverProps {
  /** Called when the draft is on the network, and the button is about to disappear. */
  onFollowed: () => void
}

/** Switches to the network that the receiver is on, where the draft begins again; nothing where that is not possible. */
export function FollowReceiver({ onFollowed }: FollowReceiverProps) {
  const texts = useReceiverTexts()
  const hawser = useHawser()
  const objection = useHawserState(hawser.send, (state) => state.receiverObjection)
  const [isSwitching, setSwitching] = useState(false)

  async function follow() {
    setSwitching(true)
    try {
      await followReceiver(hawser)
      onFollowed()
    } catch (error) {
      const known = error instanceof SwitchNetworkError
      const { message, key, values } = known ? error : { values: undefined, ...thrownMessage('switchFailed') }
      const isDeclined = known && error.kind === 'rejected'
      showToast(hawser, { message, key, values, variant: isDeclined ? 'neutral' : 'error' })
    }
    setSwitching(false)
  }
  if (objection?.kind !== 'elsewhere' || !objection.target) return null
  return (
    <Button wide loading={isSwitching} data-testid="send-follow-receiver" onClick={() => void follow()}>
      {texts.switchTo(objection.target.name)}
    </Button>
  )
}
