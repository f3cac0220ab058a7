// @vitest-environment jsdom
import '../../../ui/src/testing/browser.ts'
import { expect, it } from 'vitest'
import { adoptStyles } from './adoptStyles.ts'

it('the page takes the styles of the modal once, in the layer that every rule of the site wins over', () => {
  adoptStyles()
  adoptStyles()
  expect(document.adoptedStyleSheets).toHaveLength(1)
  expect(document.adoptedStyleSheets[0]).toMatchObject({ text: expect.stringMatching(/^@layer hawser\{/) })
})
