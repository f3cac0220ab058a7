import { lazyFeature, useLazyFeature } from './lazyFeature.ts'

/** The parts of the embedded wallet. */
export const loginFeature = lazyFeature(() => import('../features/login.ts'), 'EmailLogin')

/** Returns the parts of the embedded wallet, whose chunk is loaded if they are needed. */
export function useLoginFeature(isNeeded: boolean) {
  return useLazyFeature(loginFeature, isNeeded)
}
