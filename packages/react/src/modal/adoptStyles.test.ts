// @vitest-environment jsdom
import '@hawser/ui/testing'
import { expect, it } from 'vitest'
import { connectedStyles } from '../styles/connected.gen.ts'
import { shellStyles } from '../styles/shell.gen.ts'
import { adoptStyles } from './adoptStyles.ts'

it('the page adopts each style sheet once, in a layer that every rule of the site overrides', () => {
  for (const css of [shellStyles, connectedStyles, shellStyles]) adoptStyles(css)
  expect(document.adoptedStyleSheets).toHaveLength(2)
  for (const sheet of document.adoptedStyleSheets)
    expect(sheet).toMatchObject({ text: expect.stringMatching(/^@layer hawser\{/) })
})
