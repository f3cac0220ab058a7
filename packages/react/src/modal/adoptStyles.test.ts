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

it('the page adopts each style sheet once, in a layer that every rule of the site overrides', async () => {
  const { adoptStyles } = await import('./adoptStyles.ts')
  for (const css of [shellStyles, connectedStyles, shellStyles]) adoptStyles(css)
  expect(document.adoptedStyleSheets).toHaveLength(2)
  for (const sheet of document.adoptedStyleSheets)
    expect(sheet).toMatchObject({ text: expect.stringMatching(/^@layer hawser\{/) })
})
