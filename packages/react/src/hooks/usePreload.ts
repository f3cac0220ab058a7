import { useContext } from 'react'
import { HawserContext } from '../provider/context.ts'

/** Handlers for a control that opens the modal: its code is fetched when somebody reaches for the control. */
export function usePreload() {
  const preload = useContext(HawserContext)?.preload
  return { onPointerEnter: preload, onPointerDown: preload, onFocus: preload }
}
