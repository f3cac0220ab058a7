import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// The first view of a worker is compiled while a test waits for it. The default is one second.
configure({ asyncUtilTimeout: 10_000 })

// Testing Library registers its own clean-up for the first file of a worker alone.
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
