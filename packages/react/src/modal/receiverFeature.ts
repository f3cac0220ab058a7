import { lazyFeature, useLazyFeature } from './lazyFeature.ts'

/** What surrounds the field of a receiver: suggestions, another network, and saving it as a contact. */
const receiverFeature = lazyFeature(() => import('../features/receiver.ts'), 'ReceiverSuggestions')

/** Returns those parts, whose chunk is loaded if they are needed. */
export function useReceiverFeature(isNeeded: boolean) {
  return useLazyFeature(receiverFeature, isNeeded).feature
}
