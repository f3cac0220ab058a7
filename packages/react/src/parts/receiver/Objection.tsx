import type { ReceiverObjection } from '@hawser/core'
import { useReceiverTexts } from '../../locale/useReceiverTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'

/** Says why a payment request or a receiver with its chain cannot be drafted. */
export function Objection({ objection }: { objection: ReceiverObjection }) {
  const { request } = useTexts().send
  const texts = useReceiverTexts()
  switch (objection.kind) {
    case 'otherNetwork':
      return request.otherNetwork(objection.network)
    case 'tokenNotHeld':
      return request.tokenNotHeld
    case 'elsewhere':
      return texts.elsewhere(objection.network)
    case 'unknownChain':
      return texts.unknownChain(objection.chain)
    case 'wrongChecksum':
      return texts.wrongChecksum
  }
}
