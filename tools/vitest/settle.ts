import { afterAll, vi } from 'vitest'

// What a page loads behind its own work may still be on its way when the last test of a file ends.
afterAll(() => vi.dynamicImportSettled())
