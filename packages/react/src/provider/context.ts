import type { Hawser } from '@hawser/core'
import { createContext } from 'react'

export interface HawserContextValue {
  hawser: Hawser
  /** Fetches the modal's code before it is needed. */
  preload: () => void
}

export const HawserContext = createContext<HawserContextValue | undefined>(undefined)
