import type { Hawser } from '@hawser/core'
import { type ComponentType, createContext } from 'react'
import type { AccountButtonProps } from '../buttons/accountButtonProps.ts'

export interface HawserContextValue {
  hawser: Hawser
  /** Fetches the modal's code before it is needed. */
  preload: () => void
  /** The account button, if the page has its code from the start. */
  accountButton?: ComponentType<AccountButtonProps> | undefined
}

export const HawserContext = createContext<HawserContextValue | undefined>(undefined)
