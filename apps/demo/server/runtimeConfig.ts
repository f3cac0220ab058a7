import { type PageEnvironment, pageConfig } from '@hawser/devnet/page-config'
import type { Plugin } from 'vite'

/** Serves `/hawser.json` during development as the local stack does. */
export function runtimeConfig(environment: PageEnvironment): Plugin {
  return {
    name: 'hawser-runtime-config',
    configureServer: ({ middlewares }) => void middlewares.use(pageConfig(environment)),
  }
}
