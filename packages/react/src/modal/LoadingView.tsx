import { Spinner } from '@hawser/ui'
import { en } from '../locale/en.ts'

/** Shown while the first view is loading. */
export function LoadingView() {
  return (
    <div className="hw-view-loading" role="status">
      <span className="hw-visually-hidden">{en.loading}</span>
      <Spinner size={28} />
    </div>
  )
}
