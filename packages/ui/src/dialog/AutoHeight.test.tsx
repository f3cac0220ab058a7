// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AutoHeight } from './AutoHeight.tsx'

afterEach(() => vi.unstubAllGlobals())

it('ignores presses while its height changes', () => {
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
  let running = [{ playState: 'running' }]
  box.getAnimations = () => running as Animation[]

  resize()
  expect(box.hasAttribute('data-moving')).toBe(true)
  // The height changed again: the first transition is cancelled, the second one continues.
  fireEvent(box, new Event('transitioncancel'))
  expect(box.hasAttribute('data-moving')).toBe(true)
  running = []
  fireEvent(box, new Event('transitionend'))
  expect(box.hasAttribute('data-moving')).toBe(false)
  resize()
  expect(box.hasAttribute('data-moving')).toBe(false)
})
