import { afterAll, vi } from 'vitest'

// The default of one second is too short for a node, or for a module that is compiled while a test waits for it.
const waitFor = vi.waitFor
vi.waitFor = (check, options) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: 10_000, ...options })

// Imports that a page started in the background may still be pending when the last test of a file ends.
afterAll(() => vi.dynamicImportSettled())
