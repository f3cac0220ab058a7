import { lazyFeature, useLazyFeature } from './lazyFeature.ts'

const pairing = lazyFeature(() => import('../features/pairing.ts'), 'SilentWallet')

/** Returns the parts of pairings, whose chunk is loaded if they are needed. */
export function usePairingFeature(isNeeded: boolean) {
  return useLazyFeature(pairing, isNeeded).feature
}
