import type { Hawser } from '@hawser/core'
import { useContext } from 'react'
import { HawserContext } from '../provider/context.ts'

/** Returns the Hawser of the nearest provider. Throws outside one. */
export function useHawser(): Hawser {
  const context = useContext(HawserContext)
  if (!context) throw new Error('useHawser must be used inside a HawserProvider')
  return context.hawser
}
