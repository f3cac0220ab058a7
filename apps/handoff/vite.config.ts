import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig } from 'vite'
import { licences } from '../frame/server/licences.ts'
import { manifest } from '../frame/server/manifest.ts'

export default defineConfig({
  base: '/open/',
  plugins: [licences().ofPages, manifest()],
  resolve: {
    // The packages are built from their sources, so that the page never ships a stale build of them.
    conditions: ['source', ...defaultClientConditions],
    // What the connectors of wallets in the page use of it. The whole of it is code of sites, in a hundred chunks.
    alias: {
      '@hawser/core': fileURLToPath(
        new URL('../../packages/core/src/errors/walletFailure.ts', import.meta.url),
      ),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // The WebView of Android 10, and iOS 15.
    target: ['chrome74', 'safari15'],
    // Preloads are inserted by a script of the page, which the policy of the page has no use for.
    modulePreload: false,
    // The manifest lists files, so that assets must not become data URIs.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
})
