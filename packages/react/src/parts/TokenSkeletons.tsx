import { SkeletonRows } from '@hawser/ui'
import { useTexts } from '../locale/useTexts.ts'

/** Holds the place of tokens still loading. */
export function TokenSkeletons() {
  const texts = useTexts()
  return <SkeletonRows count={4} label={texts.account.loadingTokens} />
}
