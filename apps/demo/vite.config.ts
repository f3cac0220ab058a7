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
  server: { port, strictPort: true, host: true },
})
