import { useContext } from 'react'
import { HawserContext } from '../provider/context.ts'

/** Returns handlers for a control that opens the modal: they preload its code on hover, focus and press. */
export function usePreload() {
  const preload = useContext(HawserContext)?.preload
  return { onPointerEnter: preload, onPointerDown: preload, onFocus: preload }
}
