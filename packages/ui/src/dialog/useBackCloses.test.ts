// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useBackCloses } from './useBackCloses.ts'

const navigation = Object.assign(new EventTarget(), { currentEntry: { index: 3 } })
let isPhone = true

beforeEach(() => {
  isPhone = true
  vi.stubGlobal('navigation', navigation)
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone }))
})
afterEach(() => vi.unstubAllGlobals())

/** Navigates as a visitor who goes back. Returns whether the page is left. */
function navigate(change: object = {}, init: EventInit = { cancelable: true }): boolean {
  const event = new Event('navigate', init)
  const back = { navigationType: 'traverse', userInitiated: true, destination: { index: 2 } }
  return navigation.dispatchEvent(Object.assign(event, back, change))
}

function open(isOpen = true) {
  const onRequestClose = vi.fn()
  const view = renderHook(({ isOpen }) => useBackCloses(isOpen, onRequestClose), { initialProps: { isOpen } })
  return { ...view, onRequestClose }
}

it('the way back closes the sheet, and the page stays', () => {
  const { onRequestClose, rerender } = open()
  expect(navigate()).toBe(false)
  expect(onRequestClose).toHaveBeenCalledOnce()
  rerender({ isOpen: false })
  expect(navigate()).toBe(true)
  expect(onRequestClose).toHaveBeenCalledOnce()
})

it.each([
  ['the way forward', { destination: { index: 4 } }],
  ['a link of the page', { navigationType: 'push' }],
  ['a script of the page that goes back', { userInitiated: false }],
])('%s is not held', (_, change) => {
  const { onRequestClose } = open()
  expect(navigate(change)).toBe(true)
  expect(onRequestClose).not.toHaveBeenCalled()
})

it('a way back that the browser does not let the page hold closes nothing', () => {
  const { onRequestClose } = open()
  navigate({}, { cancelable: false })
  expect(onRequestClose).not.toHaveBeenCalled()
})

it('the way back leaves the page on a wide screen', () => {
  isPhone = false
  const { onRequestClose } = open()
  expect(navigate()).toBe(true)
  expect(onRequestClose).not.toHaveBeenCalled()
})

it('a browser without the Navigation API is left alone', () => {
  vi.stubGlobal('navigation', undefined)
  open()
  expect(navigate()).toBe(true)
})
