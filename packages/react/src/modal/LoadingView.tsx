import { Spinner } from '@hawser/ui'
import { en } from '../locale/en.ts'

/** Stands in for a view whose code is on its way, when there is no view before it to keep showing. */
export function LoadingView() {
  return (
    <div className="hw-view-loading" role="status">
      <span className="hw-visually-hidden">{en.loading}</span>
      <Spinner size={28} />
    </div>
  )
}
