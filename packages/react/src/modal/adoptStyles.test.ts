// @vitest-environment jsdom
import '@hawser/ui/testing'
import { expect, it } from 'vitest'
import { connectedStyles } from '../styles/connected.gen.ts'
import { shellStyles } from '../styles/shell.gen.ts'
import { adoptStyles } from './adoptStyles.ts'

it('the page takes each style sheet once, in the layer that every rule of the site wins over', () => {
  for (const css of [shellStyles, connectedStyles, shellStyles]) adoptStyles(css)
  expect(document.adoptedStyleSheets).toHaveLength(2)
  for (const sheet of document.adoptedStyleSheets)
    expect(sheet).toMatchObject({ text: expect.stringMatching(/^@layer hawser\{/) })
})
