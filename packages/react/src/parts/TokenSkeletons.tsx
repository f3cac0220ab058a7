import { SkeletonRows } from '@hawser/ui'
import { en } from '../locale/en.ts'

/** Holds the place of tokens still loading. */
export function TokenSkeletons() {
  return <SkeletonRows count={4} label={en.account.loadingTokens} />
}
