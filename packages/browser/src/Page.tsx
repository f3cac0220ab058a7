import type { Hawser } from '@hawser/core'
import { ConnectButton, HawserProvider, NetworkButton } from '@hawser/react'
import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { currentElements, HawserButton, HawserNetworkButton, subscribeElements } from './elements.ts'

/** Renders the modal, and a button into each element of the page. */
export function Page({ hawser }: { hawser: Hawser }) {
  const elements = useSyncExternalStore(subscribeElements, currentElements)
  return (
    <HawserProvider hawser={hawser}>
      {elements.map((element, index) => createPortal(<Button element={element} />, element, String(index)))}
    </HawserProvider>
  )
}

function Button({ element }: { element: HTMLElement }) {
  const size = element.getAttribute('size') === 'small' ? 'small' : 'medium'
  if (element instanceof HawserNetworkButton)
    return <NetworkButton size={size} disabled={element.hasAttribute('disabled')} />
  if (!(element instanceof HawserButton)) return null
  const label = element.getAttribute('label')
  const loadingLabel = element.getAttribute('loading-label')
  return (
    <ConnectButton
      size={size}
      balance={element.getAttribute('balance') === 'hide' ? 'hide' : 'show'}
      {...(label !== null && { label })}
      {...(loadingLabel !== null && { loadingLabel })}
    />
  )
}
