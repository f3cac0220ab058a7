import { defaultClientConditions, defineConfig } from 'vite'

/** The page imports `hawser.js`; what is loaded on demand is beside it, wherever a site serves the folder. */
export default defineConfig({
  base: './',
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The licences of React and of the other packages in the script.
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: {
      input: 'src/exports/hawser.ts',
      preserveEntrySignatures: 'strict',
      onwarn: (warning, warn) => {
        // "use client" is for frameworks that render on a server.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
      output: { entryFileNames: 'hawser.js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
