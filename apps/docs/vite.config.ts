import { defineConfig } from 'vite'
import { documentation } from './src/generator/documentation.ts'

export default defineConfig({
  plugins: [documentation()],
  build: {
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/client/page.ts',
      // One classic script and one style sheet beside the pages: they work from a folder as well.
      output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
})
