import { closeAlert, requestCloseModal } from '@hawser/core'
import {
  AlertIcon,
  AutoHeight,
  CloseIcon,
  Dialog,
  IconButton,
  Spinner,
  Toast,
  type ToastProps,
} from '@hawser/ui'
import { useCallback, useId, useLayoutEffect, useRef } from 'react'
import { Themed } from '../buttons/Themed.tsx'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { en } from '../locale/en.ts'
import { Header } from './Header.tsx'
import { useCurrentView } from './useCurrentView.ts'
import { ViewStage } from './ViewStage.tsx'

/** The dialog with the current view in it. */
export function Modal() {
  const hawser = useHawser()
  const titleId = useId()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const shaking = useHawserState(hawser.modal, (state) => state.shake)
  const toast = useHawserState(hawser.toast, (state) => state)
  const current = useCurrentView(open)
  const requestClose = useCallback(() => requestCloseModal(hawser), [hawser])

  return (
    <Themed>
      <Dialog open={open} shaking={shaking} labelledBy={titleId} onRequestClose={requestClose}>
        <Header titleId={titleId} />
        <AlertBar />
        <AutoHeight>
          <ViewStage view={current.view} depth={current.depth} titleId={titleId}>
            {current.Component ? <current.Component /> : <LoadingView />}
          </ViewStage>
        </AutoHeight>
        {open && <Toast open={toast.open} variant={toast.variant} message={toast.message} />}
      </Dialog>
      {!open && <PageToast open={toast.open} variant={toast.variant} message={toast.message} />}
    </Themed>
  )
}

/** Shows configuration errors to the developer of the site, with the option `debug`. */
function AlertBar() {
  const hawser = useHawser()
  const debug = useHawserState(hawser.options, (options) => options.debug)
  const alert = useHawserState(hawser.alert, (state) => state)
  if (!debug || !alert.open) return null
  return (
    <div className="hw-alert" data-variant={alert.variant} role="alert">
      <AlertIcon />
      <p data-testid="wui-alertbar-text">{alert.message}</p>
      <IconButton label={en.close} onClick={() => closeAlert(hawser)}>
        <CloseIcon size={18} />
      </IconButton>
    </div>
  )
}

/** Shown while the first view is loading. */
function LoadingView() {
  return (
    <div className="hw-view-loading" role="status">
      <span className="hw-visually-hidden">{en.loading}</span>
      <Spinner size={28} />
    </div>
  )
}

/** The toast while the modal is closed: in the top layer, at the bottom of the page. */
function PageToast(toast: ToastProps) {
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
