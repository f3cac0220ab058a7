import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { licences } from '../frame/server/licences.ts'
import { manifest } from '../frame/server/manifest.ts'

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  plugins: [react(), licences().ofPages, manifest()],
  resolve: {
    // The packages are built from their sources, so that the theme studio shows the modal of this version.
    conditions: ['source', ...defaultClientConditions],
  },
  build: {
    target: 'es2022',
    // Preloads are inserted by a script of the page, which the policy of the page has no use for.
    modulePreload: false,
    // The manifest lists files, so that assets must not become data URIs.
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: { input: { index: page('index.html'), preview: page('preview.html') } },
  },
})
