// @vitest-environment jsdom
import '../testing/browser.ts'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Dialog } from './Dialog.tsx'

function Page({
  closable = true,
  replacesOpener = false,
  onRequestClose = () => {},
}: {
  closable?: boolean
  /** Whether another button replaces the opener. */
  replacesOpener?: boolean
  onRequestClose?: () => void
}) {
  const [open, setOpen] = useState(false)
  function requestClose() {
    onRequestClose()
    if (closable) setOpen(false)
  }
  return (
    <>
      <button key={replacesOpener ? 'heir' : 'opener'} type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} labelledBy="title" onRequestClose={requestClose}>
        <h2 id="title">Connect wallet</h2>
        <button type="button">Inside</button>
      </Dialog>
    </>
  )
}

async function openPage(props: Parameters<typeof Page>[0] = {}) {
  const user = userEvent.setup()
  const { rerender } = render(<Page {...props} />)
  await user.click(screen.getByText('Open'))
  return { user, rerender, dialog: screen.getByRole<HTMLDialogElement>('dialog') }
}

describe('a dialog', () => {
  it('is modal and named by its title', async () => {
    const { dialog } = await openPage()
    expect(dialog.open).toBe(true)
    expect(screen.getByRole('dialog', { name: 'Connect wallet' })).toBe(dialog)
  })

  it('is not in the page while it is closed', () => {
    render(<Page />)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByText('Inside')).toBeNull()
  })

  it('requests to close on Escape', async () => {
    const { user } = await openPage()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('requests to close on the back gesture', async () => {
    const { dialog } = await openPage()
    const cancel = new Event('cancel', { cancelable: true })
    fireEvent(dialog, cancel)
    expect(cancel.defaultPrevented).toBe(true)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('requests to close on a press outside the card, not inside', async () => {
    const onRequestClose = vi.fn()
    const { user, dialog } = await openPage({ onRequestClose })
    await user.click(screen.getByText('Inside'))
    expect(onRequestClose).not.toHaveBeenCalled()
    await user.click(dialog)
    expect(onRequestClose).toHaveBeenCalledOnce()
  })

  it('stays at the second click of a double click that opened it', async () => {
    const onRequestClose = vi.fn()
    const { dialog } = await openPage({ onRequestClose })
    fireEvent.click(dialog, { detail: 2 })
    expect(onRequestClose).not.toHaveBeenCalled()
  })

  it('stays when its owner does not close it, even if the browser did', async () => {
    const { user, dialog } = await openPage({ closable: false })
    await user.keyboard('{Escape}')
    expect(dialog.open).toBe(true)
    dialog.close()
    await waitFor(() => expect(dialog.open).toBe(true))
  })

  it('gives the focus back to what opened it', async () => {
    const { user } = await openPage()
    expect(document.activeElement).toBe(screen.getByText('Inside'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Open')))
  })

  it('gives the focus to what took the place of its opener', async () => {
    const { user, rerender } = await openPage()
    rerender(<Page replacesOpener />)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(screen.getByText('Open'))
  })

  it('locks the page’s scrolling, and unlocks it again', async () => {
    const { user } = await openPage()
    expect(document.documentElement.dataset.hwScrollLock).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.documentElement.dataset.hwScrollLock).toBeUndefined())
  })

  it('keeps the gutter of a page that shows a scroll bar, so that nothing shifts', async () => {
    vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(window.innerWidth - 15)
    await openPage()
    expect(document.documentElement.dataset.hwScrollLock).toBe('gutter')
    vi.restoreAllMocks()
  })
})

describe('the sheet on a phone', () => {
  function drag(card: HTMLElement, distance: number, ms: number) {
    const handle = card.querySelector('.hw-handle') as HTMLElement
    const pointer = { pointerId: 1, pointerType: 'touch' }
    const at = (type: string, clientY: number, timeStamp: number) => {
      const event = Object.assign(new MouseEvent(type, { bubbles: true, clientY }), pointer)
      Object.defineProperty(event, 'timeStamp', { value: timeStamp })
      fireEvent(handle, event)
    }
    at('pointerdown', 100, 1)
    at('pointermove', 100 + distance, ms)
    at('pointerup', 100 + distance, ms)
  }

  it.each([
    ['pulled far down', 120, 1000, 1],
    ['flicked down', 50, 50, 1],
    ['moved a little', 30, 500, 0],
    ['pushed up', -200, 100, 0],
  ])('%s: asks to close or stays', async (_, distance, ms, asked) => {
    const onRequestClose = vi.fn()
    await openPage({ onRequestClose, closable: false })
    const card = screen.getByTestId('w3m-modal-card')
    drag(card, distance, ms)
    expect(onRequestClose).toHaveBeenCalledTimes(asked)
    expect(card.style.translate ?? '').toBe('')
  })
})
