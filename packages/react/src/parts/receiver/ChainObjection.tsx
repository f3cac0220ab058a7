import type { ReceiverObjection } from '@hawser/core'
import { useReceiverTexts } from '../../locale/useReceiverTexts.ts'

/** Says why a receiver with its chain cannot be drafted; nothing for another objection. */
export function ChainObjection({ objection }: { objection: ReceiverObjection }) {
  const texts = useReceiverTexts()
  switch (objection.kind) {
    case 'elsewhere':
      return texts.elsewhere(objection.network)
    case 'unknownChain':
      return texts.unknownChain(objection.chain)
    case 'wrongChecksum':
      return texts.wrongChecksum
    default:
      return null
  }
}
