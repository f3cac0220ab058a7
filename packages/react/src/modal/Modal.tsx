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
import { useCallback, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Themed } from '../buttons/Themed.tsx'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { isLocaleLoaded, loadLocale } from '../locale/setLocale.ts'
import { useMessages } from '../locale/textsOf.ts'
import { useTexts } from '../locale/useTexts.ts'
import { Header } from './Header.tsx'
import { ModalBoundary, ViewBoundary } from './ModalBoundary.tsx'
import { ModalRoot } from './ModalRoot.tsx'
import { usePairingFeature } from './pairingFeature.ts'
import { useCurrentView } from './useCurrentView.ts'
import { ViewStage } from './ViewStage.tsx'

/** The dialog with the current view in it, once the texts of its language are loaded. Its errors stay in it. */
export function Modal() {
  return (
    <ModalBoundary>
      <LoadedModal />
    </ModalBoundary>
  )
}

function LoadedModal() {
  const hawser = useHawser()
  const isLoaded = useHawserState(hawser.options, () => isLocaleLoaded(hawser))
  useEffect(() => {
    if (!isLoaded) void loadLocale(hawser)
  }, [hawser, isLoaded])
  return isLoaded ? <ModalDialog /> : null
}

function ModalDialog() {
  const hawser = useHawser()
  const titleId = useId()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const shaking = useHawserState(hawser.modal, (state) => state.shake)
  const messages = useMessages()
  const toast = useHawserState(hawser.toast, (state) => state)
  const current = useCurrentView(open)
  const silentWallet = useHawserState(hawser.connection, (state) => state.silentWallet)
  const SilentWallet = usePairingFeature(silentWallet !== undefined)?.SilentWallet
  const requestClose = useCallback(() => requestCloseModal(hawser), [hawser])

  return (
    <ModalRoot>
      <Themed>
        <Dialog
          open={open}
          shaking={shaking}
          labelledBy={titleId}
          onRequestClose={requestClose}
          outside={open && <Toast open={toast.open} variant={toast.variant} message={messages(toast)} />}
        >
          <Header titleId={titleId} />
          <AlertBar />
          <AutoHeight>
            {silentWallet && SilentWallet && <SilentWallet wallet={silentWallet} />}
            <ViewStage
              view={current.view}
              depth={current.depth}
              titleId={titleId}
              isHidden={SilentWallet !== undefined}
            >
              <ViewBoundary>{current.Component ? <current.Component /> : <LoadingView />}</ViewBoundary>
            </ViewStage>
          </AutoHeight>
        </Dialog>
        {!open && <PageToast open={toast.open} variant={toast.variant} message={messages(toast)} />}
      </Themed>
    </ModalRoot>
  )
}

/** Shows configuration errors to the developer of the site, with the option `debug`. */
function AlertBar() {
  const texts = useTexts()
  const hawser = useHawser()
  const debug = useHawserState(hawser.options, (options) => options.debug)
  const alert = useHawserState(hawser.alert, (state) => state)
  if (!debug || !alert.open) return null
  return (
    <div className="hw-alert" data-variant={alert.variant} role="alert">
      <AlertIcon />
      <p data-testid="wui-alertbar-text">{alert.message}</p>
      <IconButton label={texts.close} onClick={() => closeAlert(hawser)}>
        <CloseIcon size={18} />
      </IconButton>
    </div>
  )
}

/** Shown while the first view is loading. */
function LoadingView() {
  const texts = useTexts()
  return (
    <div className="hw-view-loading" role="status">
      <span className="hw-visually-hidden">{texts.loading}</span>
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
