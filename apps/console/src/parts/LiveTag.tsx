import { useHealth } from '../shell/HealthContext.ts'
import { texts } from '../texts.ts'

/** Says whether what is shown is pushed by the server as it changes. */
export function LiveTag() {
  const { health, failure, isLive } = useHealth()
  if (!health && !failure) return null
  return (
    <span className="live" data-live={isLive || undefined} role="status">
      {isLive ? texts.live : texts.stale}
    </span>
  )
}
