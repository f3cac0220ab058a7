import { closeModal, type Hawser, selectAccount } from '@hawser/core'
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { AccountButtonProps } from '../buttons/accountButtonProps.ts'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { HawserContext } from './context.ts'
import { mayPrefetch, whenIdle } from './idle.ts'
import { loadedModal, loadModal, preloadModal } from './loadModal.ts'

/** Properties of `HawserProvider`. */
export interface HawserProviderProps {
  /** From `createHawser`; keep one instance for the life of the page. */
  hawser: Hawser
  /**
   * `AccountButton`, on a page that a server renders with the option `connectionCookie`: its code is then loaded with
   * the page, so that the server draws it. Otherwise it is loaded once a wallet is connected.
   */
  accountButton?: ComponentType<AccountButtonProps>
  children: ReactNode
}

/** Provides a Hawser to the hooks and components below it, starts wallet discovery and renders the modal. */
export function HawserProvider({ hawser, accountButton, children }: HawserProviderProps) {
  useEffect(() => hawser.mount(), [hawser])
  usePrefetch(hawser)
  const value = useMemo(
    () => ({ hawser, accountButton, preload: () => void preloadModal(hawser) }),
    [hawser, accountButton],
  )
  return (
    <HawserContext.Provider value={value}>
      {children}
      <ModalGate />
    </HawserContext.Provider>
  )
}

/** Renders the modal, whose chunk is loaded when the modal is opened or a toast is shown. */
function ModalGate() {
  const hawser = useHawser()
  const open = useHawserState(hawser.modal, (state) => state.open)
  const hasToast = useHawserState(hawser.toast, (state) => state.open)
  const wanted = open || hasToast
  const [Modal, setModal] = useState<ComponentType>()

  // A chunk that is loaded already is rendered synchronously with the click.
  const loaded = Modal || !wanted ? undefined : loadedModal()
  if (loaded) setModal(() => loaded)

  useEffect(() => {
    if (Modal || !wanted) return
    let current = true
    // The styles of the buttons show that the code is loading.
    const isOpening = document.documentElement.toggleAttribute.bind(
      document.documentElement,
      'data-hw-opening',
    )
    isOpening(true)
    loadModal()
      .then(
        (module) => current && setModal(() => module.Modal),
        (error: unknown) => {
          console.error('The modal could not be loaded', error)
          closeModal(hawser)
        },
      )
      .finally(() => isOpening(false))
    return () => {
      current = false
    }
  }, [Modal, wanted, hawser])

  return Modal ? <Modal /> : null
}

/** Prefetches the modal in idle time after `load`, and the account's views once a wallet is connected. */
function usePrefetch(hawser: Hawser): void {
  const isConnected = useHawserState(hawser.chain, (state) => selectAccount(state).address !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is fetched depends on whether a wallet is connected
  useEffect(() => {
    if (mayPrefetch(hawser)) return whenIdle(() => void preloadModal(hawser))
  }, [hawser, isConnected])
}
