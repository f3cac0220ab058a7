import { afterAll, vi } from 'vitest'

// Imports that a page started in the background may still be pending when the last test of a file ends.
afterAll(() => vi.dynamicImportSettled())
