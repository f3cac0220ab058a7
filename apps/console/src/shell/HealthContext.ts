import { createContext, useContext } from 'react'
import type { Streaming } from '../api/useStream.ts'
import type { WatchHealthResponse } from '../gen/hawser/admin/v1/health_pb.ts'

/** The one stream of health that all screens share. */
export const HealthContext = createContext<Streaming<WatchHealthResponse>>({
  message: undefined,
  failure: undefined,
  isLive: false,
})

/** Returns how the suite is, as the server pushes it. */
export function useHealth() {
  const { message, failure, isLive } = useContext(HealthContext)
  return { health: message?.health, failure, isLive }
}
