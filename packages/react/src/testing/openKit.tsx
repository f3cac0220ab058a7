import '@hawser/ui/testing'
// Compiles the modal's chunk before the first test, whose time it would take.
import '../features/shell.ts'
import { type HawserOptions, openModal, type RouterData, type View } from '@hawser/core'
import { createConnectedKit, createKit, type Kit } from '@hawser/core/testing'
import { act, render, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { ConnectButton } from '../buttons/ConnectButton.tsx'
import { HawserProvider } from '../provider/HawserProvider.tsx'

export interface OpenKit extends Kit {
  user: ReturnType<typeof userEvent.setup>
  /** Advances the clock and flushes React. */
  advance: (ms: number) => Promise<void>
}

/** Renders a page with a connect button, disconnected. */
export function renderPage(kit: Kit = createKit(), children: ReactNode = <ConnectButton />): OpenKit {
  const user = userEvent.setup()
  render(<HawserProvider hawser={kit.hawser}>{children}</HawserProvider>)
  return { ...kit, user, advance: (ms) => act(() => kit.clock.advance(ms)) }
}

/** Renders a page with a connected wallet. */
export async function renderConnected(options: Partial<HawserOptions> = {}, kit?: Kit): Promise<OpenKit> {
  return renderPage(kit ?? (await createConnectedKit(options)))
}

/** Opens the modal on a view and waits for the view. */
export async function showView(kit: OpenKit, view: View, data?: RouterData): Promise<void> {
  act(() => openModal(kit.hawser, { view, ...(data && { data }) }))
  await findView(view)
}

/** Waits for the element of a view; the first one of a feature is compiled before it is shown. */
export function findView(view: View): Promise<HTMLElement> {
  return waitFor(
    () => {
      const element = document.querySelector<HTMLElement>(`dialog[open] [data-view=${view}]`)
      if (!element || element.querySelector('.hw-view-loading'))
        throw new Error(`The view ${view} is not shown`)
      return element
    },
    { timeout: 15_000 },
  )
}
