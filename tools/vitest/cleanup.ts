import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Testing Library registers its own clean-up for the first file of a worker alone.
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
