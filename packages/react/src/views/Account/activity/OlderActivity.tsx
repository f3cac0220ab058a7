import { fetchOlderActivity } from '@hawser/core'
import { Button } from '@hawser/ui'
import { useEffect, useRef } from 'react'
import { useHawser } from '../../../hooks/useHawser.ts'
import { useHawserState } from '../../../hooks/useHawserState.ts'
import { useTexts } from '../../../locale/useTexts.ts'

/** Reads the next older page when it is scrolled into view, or pressed; nothing when there is none. */
export function OlderActivity() {
  const texts = useTexts()
  const hawser = useHawser()
  const sentinel = useRef<HTMLDivElement>(null)
  const { next, reading, hasFailed } = useHawserState(hawser.activity, (state) => state)

  useEffect(() => {
    const element = sentinel.current
    if (!element || !next || reading || hasFailed || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchOlderActivity(hawser)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [hawser, next, reading, hasFailed])

  if (!next) return null
  return (
    <div ref={sentinel} className="hw-activity-older">
      {hasFailed && <p className="hw-note">{texts.activity.olderFailed}</p>}
      <Button
        size="small"
        variant="quiet"
        wide
        loading={reading === 'older'}
        data-testid="load-more-activity"
        onClick={() => void fetchOlderActivity(hawser)}
      >
        {hasFailed ? texts.tryAgain : texts.activity.loadMore}
      </Button>
    </div>
  )
}
