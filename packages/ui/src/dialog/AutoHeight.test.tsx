// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AutoHeight } from './AutoHeight.tsx'

afterEach(() => vi.unstubAllGlobals())

it('takes no presses while its height changes', async () => {
  let resize = () => {}
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resize = callback
      }
      observe() {}
      disconnect() {}
    },
  )
  const { container } = render(<AutoHeight>rows</AutoHeight>)
  const box = container.querySelector('.hw-auto-height') as HTMLElement
  let end = () => {}
  const finished = new Promise<void>((resolve) => {
    end = resolve
  })
  let running: { finished: Promise<void> }[] = [{ finished }]
  box.getAnimations = () => running as unknown as Animation[]

  resize()
  expect(box.hasAttribute('data-moving')).toBe(true)
  running = []
  await act(async () => end())
  expect(box.hasAttribute('data-moving')).toBe(false)
  resize()
  expect(box.hasAttribute('data-moving')).toBe(false)
})
