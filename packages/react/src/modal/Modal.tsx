import { requestCloseModal } from '@hawser/core'
import { AutoHeight, Dialog, Toast } from '@hawser/ui'
import { useCallback, useId } from 'react'
import { Themed } from '../buttons/Themed.tsx'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { AlertBar } from './AlertBar.tsx'
import { Header } from './Header.tsx'
import { LoadingView } from './LoadingView.tsx'
import { PageToast } from './PageToast.tsx'
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
