import {
  closeModal,
  createHawser,
  type Hawser,
  openModal,
  setThemeMode,
  setThemeVariables,
} from '@hawser/core'
import { base, ethereum } from '@hawser/core/networks'
import { HawserProvider, useHawser, useHawserState } from '@hawser/react'
import { useEffect, useMemo, useState } from 'react'
import { keepFocus } from '../../../demo/src/embed/keepFocus.ts'
import { type Design, featuresOf, themeVariablesOf } from '../studio/design.ts'
import { connectorsOf } from './connectors.ts'
import type { PreviewMessage, PreviewReady } from './messages.ts'

/** The modal alone, in a frame of the theme studio: with the design that the studio sends, and open all the time. */
export function PreviewPage() {
  const [message, setMessage] = useState<PreviewMessage>()
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (event.source !== window.parent || event.origin !== location.origin) return
      const data = event.data as Partial<PreviewMessage>
      if (data.type === 'hawser-console/design') setMessage(data as PreviewMessage)
    }
    addEventListener('message', listen)
    const ready: PreviewReady = { type: 'hawser-console/ready' }
    window.parent.postMessage(ready, location.origin)
    return () => removeEventListener('message', listen)
  }, [])
  return message ? <Preview {...message} /> : null
}

function Preview({ design, mode }: PreviewMessage) {
  // Another language, other features or wallets are another instance; colours change in the one that is open.
  const { dark: _, light: __, radius: ___, fontFamily: ____, mode: _____, ...rest } = design
  const key = JSON.stringify(rest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the instance is made of
  const hawser = useMemo(() => createPreview(design), [key])
  useEffect(() => {
    const { themeVariables } = hawser.theme.getState()
    // An empty value resets a variable to that of the palette.
    const unset = Object.fromEntries(Object.keys(themeVariables).map((name) => [name, '']))
    setThemeMode(hawser, mode)
    setThemeVariables(hawser, { ...unset, ...themeVariablesOf(design, mode) })
    document.documentElement.dataset.theme = mode
  }, [hawser, design, mode])
  return (
    <HawserProvider key={key} hawser={hawser}>
      <KeepOpen />
    </HawserProvider>
  )
}

function KeepOpen() {
  const hawser = useHawser()
  const isOpen = useHawserState(hawser.modal, (state) => state.open)
  useEffect(() => {
    // What is changed in the studio keeps the keyboard.
    if (!isOpen) keepFocus(() => openModal(hawser))
  }, [hawser, isOpen])
  useEffect(() => () => closeModal(hawser), [hawser])
  return null
}

function createPreview(design: Design): Hawser {
  return createHawser({
    projectId: '0'.repeat(32),
    baseUrl: location.origin,
    networks: [ethereum, base],
    connectors: connectorsOf(design),
    features: { ...featuresOf(design), analytics: false },
    allWallets: design.allWallets,
    locale: design.locale,
    fetch: () => Promise.reject(new TypeError('The preview asks no gateway')),
    storage: memory(),
    prefetch: false,
  })
}

/** Keeps nothing after the page: a preview is not a visitor. */
function memory() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
