import { lazyFeature, useLazyFeature } from './lazyFeature.ts'

const access = lazyFeature(() => import('../features/access.ts'), 'AccessTab')

/** Returns the parts that show approvals, whose chunk is loaded if they are needed. */
export function useAccessFeature(isNeeded: boolean) {
  return useLazyFeature(access, isNeeded)
}
