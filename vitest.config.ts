import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', 'packages/test/src/e2e/**'],
    clearMocks: true,
    pool: 'threads',
    // Vitest leaves one core to the caller: of two that is half.
    maxWorkers: Math.max(2, availableParallelism()),
    // A build server with two cores runs browsers beside these tests.
    testTimeout: 20_000,
    setupFiles: ['tools/vitest/settle.ts'],
  },
})
