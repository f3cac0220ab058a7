import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const settle = 'tools/vitest/settle.ts'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    exclude: ['**/node_modules/**', '**/dist/**', 'test/journeys/**', 'test/peers/**'],
    clearMocks: true,
    pool: 'threads',
    // Vitest leaves one core to the caller: of two that is half.
    maxWorkers: Math.max(2, availableParallelism()),
    // A build server with two cores runs browsers beside these tests.
    testTimeout: 20_000,
    // Files that share their modules need a third of the CPU time.
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [
            'packages/!(react|ui)/src/**/*.test.ts',
            'apps/{console,docs,frame,handoff}/src/**/*.test.ts',
            'test/{chains,kit,repository}/**/*.test.ts',
          ],
          setupFiles: [settle],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: ['packages/{react,ui}/src/**/*.test.{ts,tsx}'],
          setupFiles: [settle, 'tools/vitest/cleanup.ts'],
          isolate: false,
        },
      },
    ],
  },
})
