import { createContext, useContext } from 'react'
import type { Lab } from './createLab.ts'

export const LabContext = createContext<Lab | undefined>(undefined)

/** Returns the lab of this page. */
export function useLab(): Lab {
  const lab = useContext(LabContext)
  if (!lab) throw new Error('useLab must be used inside the page')
  return lab
}
