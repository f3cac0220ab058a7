import { lazyFeature, useLazyFeature } from './lazyFeature.ts'

const otherChains = lazyFeature(() => import('../features/otherChains.ts'), 'NamespaceRows')

/** Returns the parts for networks beside EVM chains, whose chunk is loaded if they are needed. */
export function useOtherChains(isNeeded: boolean) {
  return useLazyFeature(otherChains, isNeeded).feature
}
