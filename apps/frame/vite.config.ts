import { defaultClientConditions, defineConfig } from 'vite'
import { licences } from './server/licences.ts'
import { manifest } from './server/manifest.ts'

const { ofPages, ofWorkers } = licences()

export default defineConfig({
  plugins: [ofPages, manifest()],
  resolve: {
    // The packages are built from their sources, so that the frame never ships a stale build of them.
    conditions: ['source', ...defaultClientConditions],
  },
  worker: { format: 'es', plugins: () => [ofWorkers] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Preloads are inserted by a script of the page, which the policy of the page has no use for.
    modulePreload: false,
    // The manifest lists files, so that assets must not become data URIs.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
})
