import { SkeletonRows } from '@hawser/ui'
import { useTexts } from '../../locale/useTexts.ts'
import { useAccessFeature } from '../../modal/accessFeature.ts'
import { ViewFailure } from '../../modal/ViewFailure.tsx'

/** The tab with the approvals of the account, whose code is loaded when the tab is selected. */
export function AccessPanel() {
  const { access } = useTexts()
  const { feature, hasFailed, retry } = useAccessFeature(true)
  if (hasFailed) return <ViewFailure wasRetried={false} onRetry={retry} />
  if (!feature) return <SkeletonRows count={4} label={access.loading} />
  return <feature.AccessTab />
}
