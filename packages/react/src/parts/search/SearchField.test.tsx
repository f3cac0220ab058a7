// @vitest-environment jsdom

import { createConnectedKit } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPage, showView } from '../../testing/openKit.tsx'

afterEach(() => vi.unstubAllGlobals())

function pointer(isFine: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches: isFine, addEventListener() {}, removeEventListener() {} }))
}

async function openNetworks() {
  const page = renderPage(await createConnectedKit())
  await showView(page, 'Networks')
  return page
}

const search = () => screen.getByTestId('wui-input-text')
const row = (name: string) => screen.getByTestId(`w3m-network-switch-${name}`)

it('has the focus on devices with a mouse', async () => {
  pointer(true)
  await openNetworks()
  await waitFor(() => expect(document.activeElement).toBe(search()))
})

it('leaves the focus to the title on a touch screen', async () => {
  pointer(false)
  await openNetworks()
  expect(document.activeElement).not.toBe(search())
})

it('selects the first row on Enter', async () => {
  pointer(true)
  const { user, hawser } = await openNetworks()
  await user.type(search(), 'two{Enter}')
  await waitFor(() => expect(hawser.router.getState().data?.network?.name).toBe('Devnet Two'))
})

it('selects nothing when nothing is found', async () => {
  pointer(true)
  const { user, hawser } = await openNetworks()
  await user.type(search(), 'nowhere{Enter}')
  expect(hawser.router.getState().view).toBe('Networks')
})

it('keeps its place while a text is searched', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(900)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(500)
  const { user } = await openNetworks()
  const view = search().closest<HTMLElement>('.hw-view')
  await user.type(search(), 'nowhere')
  expect(view?.style.minBlockSize).toBe('500px')
  await user.clear(search())
  expect(view?.style.minBlockSize).toBe('')
  vi.restoreAllMocks()
})

it('is left and reached again by the arrows', async () => {
  pointer(true)
  const { user } = await openNetworks()
  await user.click(search())
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(row('Devnet'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(row('Devnet Two'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(row('Devnet Two'))
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(document.activeElement).toBe(search())
})

it('receives what is typed anywhere in the view', async () => {
  pointer(false)
  const { user } = await openNetworks()
  act(() => row('Devnet Two').focus())
  await user.keyboard('two')
  expect((search() as HTMLInputElement).value).toBe('two')
})
