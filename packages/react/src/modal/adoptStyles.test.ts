// @vitest-environment jsdom
import '@hawser/ui/testing'
import { beforeEach, expect, it, vi } from 'vitest'
import { connectedStyles } from '../styles/connected.gen.ts'
import { shellStyles } from '../styles/shell.gen.ts'

// The page and the modules of this worker may have adopted styles in other test files.
beforeEach(() => {
  vi.resetModules()
  document.adoptedStyleSheets.length = 0
})

it('a modal adopts each style sheet once, also those that come later', async () => {
  const { adoptInto, adoptStyles } = await import('./adoptStyles.ts')
  adoptStyles(shellStyles)
  for (let i = 0; i < 2; i++) adoptInto(document)
  for (const css of [connectedStyles, shellStyles]) adoptStyles(css)
  expect(document.adoptedStyleSheets).toHaveLength(2)
  for (const sheet of document.adoptedStyleSheets)
    expect(sheet).toMatchObject({ text: expect.stringMatching(/^@layer hawser\{/) })
})
