import { Toast, type ToastProps } from '@hawser/ui'
import { useLayoutEffect, useRef } from 'react'

/** The toast while the modal is closed: in the top layer, at the bottom of the page. */
export function PageToast(toast: ToastProps) {
  const area = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = area.current
    if (!toast.open || typeof element?.showPopover !== 'function') return
    element.showPopover()
    return () => element.hidePopover()
  }, [toast.open])
  return (
    <div ref={area} className="hw-page-toast" popover="manual">
      <Toast {...toast} />
    </div>
  )
}
