// @vitest-environment jsdom

import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { expect, it } from 'vitest'
import { Mnemonic } from './Mnemonic.tsx'

it('the words of a wallet are on the page only while they are shown', () => {
  document.body.innerHTML = '<div id="root"></div>'
  const root = document.getElementById('root') as HTMLElement
  act(() => render(h(Mnemonic, { words: 'alpha bravo' }), root))
  const press = () => act(() => root.querySelector('button')?.click())
  expect(root.textContent).not.toMatch(/alpha|bravo/)
  press()
  expect(root.textContent).toMatch(/alpha.*bravo/)
  press()
  expect(root.textContent).not.toMatch(/alpha|bravo/)
  press()
  act(() => void window.dispatchEvent(new Event('blur')))
  expect(root.textContent).not.toMatch(/alpha|bravo/)
})
