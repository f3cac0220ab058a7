import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { documentation } from './server/documentation.ts'
import { runtimeConfig } from './server/runtimeConfig.ts'

const port = Number(process.env.HAWSER_DEMO_PORT ?? 5173)

export default defineConfig({
  plugins: [react(), documentation(), runtimeConfig(process.env)],
  resolve: {
    // The packages are built from their sources, so that the page never shows a stale build of them.
    conditions: ['source', ...defaultClientConditions],
  },
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first script imports is one file. The script itself stays out: it awaits chunks that need the others.
            { name: 'initial', tags: ['$initial'], test: /packages|node_modules/, priority: 1 },
            // Chunks smaller than 2 kB are merged, which halves the requests of a visit.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2_000 },
          ],
        },
      },
    },
  },
  server: { port, strictPort: true, host: true },
})
